"""What MkDocs calls while it builds the site: the pages are made here, and none is read from a folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from website import pages


def on_config(config: Any) -> Any:
    """The chapters."""
    config.nav = pages.navigation()
    return config


def on_files(files: Any, config: Any) -> Any:
    """The pages, in place of the files of the folder that are Markdown."""
    from mkdocs.structure.files import File

    for file in list(files):
        if file.is_documentation_page():
            files.remove(file)
    for path, text in pages.texts().items():
        files.append(File.generated(config, path, content=text))
    return files
