"""A Slurm of one node on this machine, for tests: munged, slurmctld and slurmd of Debian's packages, as this user, in a folder.

with slurm.Cluster(folder) as cluster:
    cluster.run("sbatch", "--wait", "site.sbatch", cwd=folder)
"""
import getpass
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import time

PACKAGES = "munge slurm-client slurmctld slurmd"
PROGRAMS = ("munged", "sbatch", "slurmctld", "slurmd")
SYSTEM = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])
# A task that queues again waits for its credential to expire.
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2
ReturnToService=2
MinJobAge=3600
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def missing():
    """What to say where programs are missing; None: all are there."""
    absent = [name for name in PROGRAMS if shutil.which(name, path=SYSTEM) is None]
    return f"no {', '.join(absent)}: as root, apt-get install {PACKAGES}" if absent else None


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = {**os.environ, "PATH": SYSTEM, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = []

    def start(self, *command):
        with open(self.folder / f"{command[0]}.log", "a") as log:
            self.daemons.append(subprocess.Popen(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def logs(self):
        return "".join(f"== {path.name}\n{path.read_text(errors='replace')[-2000:]}" for path in sorted(self.folder.glob("*.log")))

    def wait_for(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            ended = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > end:
                raise RuntimeError(f"{what}: {'ended: ' + ', '.join(ended) if ended else 'takes too long'}\n{self.logs()}")
            time.sleep(0.1)

    def run(self, *command, **options):
        return subprocess.run(command, env={**self.environment, **options.pop("extra", {})}, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(64))
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=getpass.getuser(), ports=free_ports(2), folder=self.folder,
            processors=os.cpu_count()))
        names = {"key-file": "munge.key", "socket": "munge.socket", "pid-file": "munge.pid", "log-file": "munge.log", "seed-file": "munge.seed"}
        self.start("munged", "--foreground", "--force", *[f"--{option}={self.folder / name}" for option, name in names.items()])
        self.wait_for((self.folder / "munge.socket").exists, "munged")
        self.start("slurmctld", "-D", "-i")
        self.wait_for(lambda: self.run("scontrol", "ping").returncode == 0, "slurmctld")
        self.start("slurmd", "-D")
        self.wait_for(lambda: "idle" in self.run("sinfo", "--noheader", "--format=%T").stdout, "slurmd")

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
