-- Neovim 0.7: a client for buffers of Python; then what is found in the file that was opened is printed.
local client = vim.lsp.start_client({
  name = "flake8-jax",
  cmd = { "flake8-jax", "server" },
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(0, client)
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 100)
for _, found in ipairs(vim.diagnostic.get(0)) do
  io.stdout:write(found.lnum + 1, ": ", found.code, " ", found.message, "\n")
end
vim.cmd("qa!")
