"""`bench doctor` tells what each installed benchmark found of this machine, and survives one that cannot look."""

ROWS = "[[row.what, row.state, row.remedy, row.ok] for row in __import__('benchwright.engine.checkup', fromlist=['x']).checkup()]"


def test_a_plugin_without_tasks_is_called_no_benchmark_and_stays_off_no_board(install, tmp_path, monkeypatch, capsys):
    from benchwright.cli import bench

    source = "from benchwright import hookimpl\nAPI = 1\n@hookimpl\ndef check_machine():\n    return []\n"
    monkeypatch.syspath_prepend(str(install("only-tools", name="tools", module="tools_mod", source=source)))
    monkeypatch.setenv("BENCHWRIGHT_CACHE", str(tmp_path / "cache"))
    bench.main(["plugins"], standalone_mode=False)
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("tools ")]
    assert line.split() == ["tools", "only-tools", "1.0", "no", "tasks"]


def test_the_rows_of_a_plugin_stand_below_its_name(install, ask):
    install(
        "needs-a-lathe",
        name="lathe",
        module="lathe",
        source="""
            from benchwright import DoctorRow, hookimpl
            API = 1

            @hookimpl
            def check_machine():
                return [DoctorRow("lathe", "not found", "buy one", False)]
        """,
    )
    rows = ask(ROWS)
    at = next(i for i, row in enumerate(rows) if row[0] == "plugin lathe")
    assert rows[at + 1] == ["lathe", "not found", "buy one", False]


def test_a_plugin_that_cannot_look_is_a_row_and_the_others_are_still_asked(install, ask):
    install(
        "falls-over",
        name="afalls",
        module="afalls",
        source="""
            from benchwright import hookimpl
            API = 1

            @hookimpl
            def check_machine():
                raise KeyError("no such machine")
        """,
    )
    install(
        "stands-up",
        name="bstands",
        module="bstands",
        source="""
            from benchwright import DoctorRow, hookimpl
            API = 1

            @hookimpl
            def check_machine():
                return [DoctorRow("feet", "two")]
        """,
    )
    rows = ask(ROWS)
    [failed] = [row for row in rows if row[0] == "plugin afalls" and not row[3]]
    assert failed[1].startswith("looking at the machine failed: KeyError: 'no such machine' (")
    assert failed[1].endswith("afalls.py, line 7)")
    assert failed[2] == "pip install -U falls-over"
    assert ["feet", "two", "", True] in rows
