// The filters of the index of rules: one of each kind, and words.  Without this script all rules are shown.
document$.subscribe(() => {
  const table = document.getElementById("rule-table")
  if (!table || table.dataset.ready) return
  table.dataset.ready = "yes"
  const search = document.getElementById("rule-search")
  const count = document.getElementById("rule-count")
  const buttons = [...document.querySelectorAll(".filters button")]
  const rows = [...table.tBodies[0].rows]
  const texts = rows.map((row) => row.textContent.toLowerCase())

  const show = () => {
    const chosen = {}
    for (const button of buttons)
      if (button.getAttribute("aria-pressed") === "true") (chosen[button.dataset.filter] ??= []).push(button.dataset.value)
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    rows.forEach((row, number) => {
      const isOf = Object.entries(chosen).every(([key, values]) => values.includes(row.dataset[key]))
      row.hidden = !(isOf && words.every((word) => texts[number].includes(word)))
    })
    count.value = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`
  }
  for (const button of buttons)
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true")
      show()
    })
  search.addEventListener("input", show)
  show()
})
