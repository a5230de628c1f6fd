import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The part of systemctl that deploy/varispeed-setup uses: it starts units in the background, as systemd would, and writes each call to a file. */
const SYSTEMCTL = `#!/bin/sh
set -eu
state=/run/stub
mkdir -p $state
echo "$*" >> $state/calls

is_running() { [ -e "$state/$1.pid" ] && kill -0 "$(cat "$state/$1.pid")" 2> /dev/null; }
stop() {
  if is_running "$1"; then
    pid=$(cat "$state/$1.pid")
    kill "$pid"
    while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
  fi
  rm -f "$state/$1.pid"
}
start() {
  if is_running "$1"; then return; fi
  case $1 in *@*) unit=/etc/systemd/system/varispeed@.service ;; *) unit=/etc/systemd/system/varispeed.service ;; esac
  instance=\${1#*@}
  read_line() { sed -n "s/^$1=//p" "$unit"; }
  export $(read_line Environment | sed "s/%i/\${instance%.service}/")
  cd "$(read_line WorkingDirectory)"
  setsid runuser -u varispeed -- sh -c 'set -a; . "$1"; echo $$ > "$2"; exec $3' sh "$(read_line EnvironmentFile)" "/tmp/$1.pid" "$(read_line ExecStart)" > "/tmp/$1.log" 2>&1 < /dev/null &
  while [ ! -s "/tmp/$1.pid" ]; do sleep 0.05; done
  mv "/tmp/$1.pid" "$state/$1.pid"
}

command=$1
shift
case $command in
  list-units)
    for file in "$state"/varispeed@*.pid; do
      name=$(basename "$file" .pid)
      if is_running "$name"; then echo "$name loaded active running Varispeed"
      elif [ -e "$file" ]; then echo "$name loaded activating auto-restart Varispeed"; fi
    done ;;
  is-active)
    shift
    for name; do if is_running "$name"; then exit 0; fi; done
    exit 3 ;;
  start) for name; do start "$name"; done ;;
  stop) for name; do stop "$name"; done ;;
  restart) for name; do case $name in varispeed*) stop "$name"; start "$name" ;; esac; done ;;
  disable) shift; for name; do stop "$name"; done ;;
esac
`

/** Lets `systemctl` in a system without systemd start the service. */
export function installStubSystemd(systemFolder: string) {
  const programPath = join(systemFolder, 'usr/local/bin/systemctl')
  const callsPath = join(systemFolder, 'run/stub/calls')
  writeFileSync(programPath, SYSTEMCTL)
  chmodSync(programPath, 0o755)
  mkdirSync(join(systemFolder, 'run/systemd/system'), { recursive: true })
  return {
    /** Returns the calls since the last call of this function, apart from questions. */
    readChanges(): string[] {
      const calls = readFileSync(callsPath, 'utf8').trim().split('\n')
      rmSync(callsPath)
      return calls.filter((call) => /^(?:start|stop|restart|enable|disable) /.test(call))
    },
    /** Stops the service, and removes the stub. */
    remove(): void {
      const runningUnits = readdirSync(join(systemFolder, 'run/stub')).flatMap((name) => /^(.*)\.pid$/.exec(name)?.[1] ?? [])
      execFileSync('chroot', [systemFolder, '/usr/local/bin/systemctl', 'stop', ...runningUnits])
      rmSync(programPath)
      rmSync(join(systemFolder, 'run/systemd'), { recursive: true })
    },
  }
}
