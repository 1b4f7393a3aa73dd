"""MLflow can be switched off."""

from benchwright import tracking


def test_switched_off_nothing_is_written_and_the_line_says_so(run, no_store, monkeypatch):
    monkeypatch.setenv("BENCHWRIGHT_MLFLOW", "off")
    done = tracking.project([run])
    assert done.ok
    assert "switched off" in done.message
    assert not no_store.exists()
