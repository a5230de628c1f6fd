import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

const DISPLAY_PATH = '/usr/bin/Xvfb'
const BUS_PATH = '/usr/bin/dbus-daemon'
const PLAYERCTL_PATH = '/usr/bin/playerctl'

export const hasVirtualDisplay = (): boolean => existsSync(DISPLAY_PATH)
export const hasMediaKeyTools = (): boolean => [DISPLAY_PATH, BUS_PATH, PLAYERCTL_PATH].every((path) => existsSync(path))

/** Starts a virtual display, and waits until it is ready. */
export async function startVirtualDisplay(): Promise<{ name: string; process: ChildProcess }> {
  const displayProcess = spawn(DISPLAY_PATH, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [chunk] = await once(displayProcess.stdio[3] as Readable, 'data')
  return { name: `:${String(chunk).trim()}`, process: displayProcess }
}

/** A message bus on which any program may own any name, and which starts no services. */
const createBusConfig = (folderPath: string) => `<busconfig>
  <type>session</type>
  <listen>unix:dir=${folderPath}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`

/** The metadata and the state of the browser's media session, as the operating system shows them. */
export interface ShownMediaSession {
  status: string
  title: string
  artist: string
  album: string
  /** The path of the file with the cover picture. */
  picturePath: string
}

/** A simulated desktop: a virtual display, and a message bus over which media keys are sent by the MPRIS interface. */
export interface VirtualDesktop {
  /** The environment variables of programs that run on this desktop. */
  env: Record<string, string>
  /** Presses a media key. `key` is a command of the program playerctl with its arguments, such as `pause`. */
  pressKey(...key: string[]): Promise<void>
  /** Returns `undefined` while no program has a media session. */
  readMedia(): Promise<ShownMediaSession | undefined>
  stop(): Promise<void>
}

/** Starts a desktop, which stores its files in `folderPath`. */
export async function startVirtualDesktop(folderPath: string): Promise<VirtualDesktop> {
  const configPath = join(folderPath, 'bus.conf')
  await writeFile(configPath, createBusConfig(folderPath))
  const virtualDisplay = await startVirtualDisplay()
  const busProcess = spawn(BUS_PATH, [`--config-file=${configPath}`, '--nofork', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [busAddress] = await once(busProcess.stdout, 'data')
  const desktopEnv = {
    ...(process.env as Record<string, string>),
    HOME: folderPath,
    DISPLAY: virtualDisplay.name,
    DBUS_SESSION_BUS_ADDRESS: String(busAddress).trim(),
  }
  const runPlayerctl = async (...args: string[]) => (await promisify(execFile)(PLAYERCTL_PATH, args, { env: desktopEnv })).stdout.trimEnd()
  const metadataFormat = ['status', 'title', 'artist', 'album', 'mpris:artUrl'].map((name) => `{{${name}}}`).join('\n')
  return {
    env: desktopEnv,
    pressKey: async (...key) => void (await runPlayerctl(...key)),
    async readMedia() {
      const metadataText = await runPlayerctl('metadata', '--format', metadataFormat).catch(() => undefined)
      if (metadataText === undefined) return undefined
      const [status = '', title = '', artist = '', album = '', pictureUrl = ''] = metadataText.split('\n')
      return { status, title, artist, album, picturePath: pictureUrl.replace('file://', '') }
    },
    async stop() {
      await stopProcess(busProcess)
      await stopProcess(virtualDisplay.process)
    },
  }
}

export async function stopProcess(childProcess: ChildProcess): Promise<void> {
  if (childProcess.exitCode !== null || childProcess.signalCode !== null) return
  childProcess.kill('SIGTERM')
  await once(childProcess, 'exit')
}
