"""Writes the man page and the completion for bash from what the program says of itself.

usage: help_pages.py SCREE FOLDER      writes FOLDER/scree.1 and FOLDER/scree
"""
import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"^  ((?:-\w, )?--[\w-]+(?:, --[\w-]+)*)(?: (\S+))?(?:  +(.*))?$")
COMMAND = re.compile(r"^  (\w+) {2,}(\S.*)$")


def help_of(scree, *words):
    return subprocess.run([scree, *words, "--help"], capture_output=True, text=True, check=True).stdout.splitlines()


def section(lines, name):
    """The lines under a heading of a help text, each entry on one line."""
    entries, inside = [], False
    for line in lines:
        if not line.startswith(" "):
            inside = line == f"{name}:"
        elif inside and line.startswith("   "):
            joint = " " if re.search(r"\S  +\S", entries[-1]) else "  "
            entries[-1] += joint + line.strip()
        elif inside:
            entries.append(line)
    return entries


class Command:
    def __init__(self, scree, *words):
        lines = help_of(scree, *words)
        self.words, self.about = words, lines[0]
        self.usage = next(line.removeprefix("Usage: ") for line in lines if line.startswith("Usage: "))
        self.positionals = [re.split(r"  +", line.strip(), maxsplit=1) for line in section(lines, "Positionals")]
        self.options = [self.option(line) for line in section(lines, "Options")]
        names = [COMMAND.match(line).group(1) for line in section(lines, "Subcommands")]
        self.parts = [Command(scree, *words, name) for name in names]

    @staticmethod
    def option(line):
        names, value, text = OPTION.match(line).groups()
        return names.split(", "), value or "", text or "", value.split("|") if value and "|" in value else []

    def leaves(self):
        return [leaf for part in self.parts for leaf in part.leaves()] if self.parts else [self]


def roff(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + text if text.startswith((".", "'")) else text


def man_page(root, version):
    lines = [f'.TH SCREE 1 "" "{version}" "User Commands"', ".SH NAME", f"scree {roff('- ' + root.about)}", ".SH SYNOPSIS",
             r".B scree", r"COMMAND [OPTIONS]", ".SH COMMANDS"]
    for command in root.leaves():
        lines += [f".SS scree {' '.join(command.words)}", roff(command.about) + ".", ".PP", f".B {roff(command.usage)}"]
        for name, text in (entry for entry in command.positionals if len(entry) == 2):
            lines += [".TP", rf"\fI{roff(name)}\fR", roff(text)]
        for names, kind, text, _ in command.options:
            lines += [".TP", rf"\fB{roff(', '.join(names))}\fR {roff(kind)}", roff(text)]
    lines += [".SH EXIT STATUS", "0: done. 1: failed or stopped; what was computed until then is kept. 2: bad usage or bad input.",
              "3: done, but some steps did not reach the tolerance.", ".SH SEE ALSO",
              "README.md and the guides beside it, in the folder for documentation of this package."]
    return "\n".join(lines) + "\n"


def completion(root):
    cases, firsts = [], " ".join(part.words[0] for part in root.parts)
    for command in root.parts:
        options = {name for leaf in command.leaves() for names, *_ in leaf.options for name in names}
        words = [part.words[-1] for part in command.parts]
        cases.append(f"    {command.words[0]}) words=\"{' '.join([*words, *sorted(options)])}\" ;;")
    values = {}   # of an option, in all commands
    for leaf in root.leaves():
        for names, _, _, choices in leaf.options:
            for name in names:
                values.setdefault(name, {}).update(dict.fromkeys(choices))
    choices = [f"    {name}) COMPREPLY=($(compgen -W \"{' '.join(words)}\" -- \"$word\")); return ;;"
               for name, words in sorted(values.items()) if words]
    return f"""# Completion of scree for bash.
_scree() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=""
  case $before in
{chr(10).join(choices)}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{firsts} --help --version" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{chr(10).join(cases)}
  esac
  if [ "${{COMP_WORDS[1]}}" = example ] && [ "$COMP_CWORD" -eq 2 ]; then
    words+=" $("${{COMP_WORDS[0]}}" example 2>/dev/null | awk '/^  / {{print $1}}')"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case $word in
    -*) ;;
    *) COMPREPLY+=($(compgen -f -- "$word")); compopt -o filenames ;;
  esac
}}
complete -F _scree scree
"""


def main():
    scree, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    root = Command(scree)
    version = subprocess.run([scree, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    (folder / "scree.1").write_text(man_page(root, version))
    (folder / "scree").write_text(completion(root))


if __name__ == "__main__":
    main()
