"""The board as one HTML page that needs nothing beside itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchwright.leaderboard import figures, markdown
from benchwright.leaderboard.published import NOT_HERE
from benchwright.outcomes import OUTCOMES

if TYPE_CHECKING:
    from benchwright.leaderboard.build import Everything


def render(everything: Everything) -> str:
    """The page. Every text from a run is escaped; the page loads nothing and sends nothing."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("benchwright.leaderboard", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page.html.j2").render(
        all=everything,
        figures=figures,
        outcomes=OUTCOMES,
        not_here=NOT_HERE,
        short_list=markdown.short_list,
        attempts=sum(source.attempts for source in everything.sources),
    )
