"""The table of commands: help that says something else than the command does, a name that leads nowhere."""

from __future__ import annotations

import pytest

from grader.cli.commands import COMMANDS, Later


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_there_and_says_of_itself_what_the_table_says(name):
    command = Later(name, COMMANDS[name]).imported()
    assert command.name == name
    assert " ".join(command.help.split("\n\n")[0].split()) == COMMANDS[name].help


def test_help_names_every_command(argus):
    done = argus("--help")
    assert done.code == 0
    listed = [line.split()[1] for line in done.out.splitlines() if line[:2] == "│ " and line[2:3].isalpha()]
    assert listed == list(COMMANDS)


@pytest.mark.parametrize("name", ["reprot", "audits", "judge"])
def test_a_mistyped_command_is_corrected(argus, name):
    done = argus(name)
    assert done.code == 2
    assert "Did you mean" in done.err


def test_a_command_of_a_group_is_reached_and_told_what_it_lacks(argus):
    done = argus("problems", "gate")
    assert done.code == 2
    assert "PATH" in done.err
