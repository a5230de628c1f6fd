import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { wavHeader } from '../dsp/wav.ts'
import { aptInstall, isOnPath } from '../scripts/install.mjs'
import { startMakerBrowser } from './maker-browser.ts'
import type { PageFigures } from './maker-page/main.ts'
import { plotMaker } from './maker-plots.ts'
import { reportQuality } from './maker-quality.ts'
import { makerSong, SONG_SAMPLE_RATE } from './maker-song.ts'
import { reportFigure } from './report.ts'

// `npm run bench -- maker [--rounds N]`: compares the maker's exports with sox and ffmpeg. Each round runs every program once, so that other
// load on the machine affects all alike. Programs that are missing and cannot be installed are left out.

const SAMPLE_RATE = SONG_SAMPLE_RATE
const SPEED = 1.25
const SLOWED_RATE = 0.85

const at = process.argv.indexOf('--rounds')
const rounds = at < 0 ? 5 : Number(process.argv[at + 1])

async function writeFloatWav(path: string, [left, right]: ReturnType<typeof makerSong>) {
  const samples = new Float32Array(2 * left.length)
  for (let frame = 0; frame < left.length; frame++) {
    samples[2 * frame] = left[frame] as number
    samples[2 * frame + 1] = right[frame] as number
  }
  const header = wavHeader({ format: 'float32', channels: 2, sampleRate: SAMPLE_RATE, frames: left.length })
  await writeFile(path, Buffer.concat([header, new Uint8Array(samples.buffer)]))
}

/** Wall-clock and processor time of a run. On a busy machine only the processor time is meaningful. */
interface RunTimes {
  readonly wallMs: number
  readonly processorMs: number
}

/** Times a run in the browser, where the processor time is unknown. */
async function timePage(stallsMs: Map<string, number>, name: string, run: () => Promise<PageFigures>): Promise<RunTimes> {
  const { wallMs, stallMs } = await run()
  stallsMs.set(name, Math.min(stallMs, stallsMs.get(name) ?? stallMs))
  return { wallMs, processorMs: Number.NaN }
}

/** Times a program. The second line of the shell's `times` is the children's user and system time, such as 0m1.25s. */
function timeProgram(command: readonly string[]): RunTimes {
  const startMs = performance.now()
  const output = execFileSync('sh', ['-c', '"$@" >/dev/null 2>&1 && times', 'sh', ...command], { encoding: 'utf8' })
  const wallMs = performance.now() - startMs
  const cpuTimes = [...(output.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return { wallMs, processorMs: cpuTimes.reduce((sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds), 0) }
}

/** Returns whether a program is installed, and installs it if possible. */
const isInstalled = (program: string) => isOnPath(program) || (aptInstall(program) && isOnPath(program))

/** Returns whether sox can read a file. Debian's sox reads MP3 only with a further package, which is installed if possible. */
function soxReads(path: string): boolean {
  const canRead = () => spawnSync('sox', [path, '-n'], { stdio: 'ignore' }).status === 0
  return canRead() || (aptInstall('libsox-fmt-mp3') && canRead())
}

/** Returns the minimum times of several runs, which other load on the machine affected least. */
const minTimes = (runTimes: readonly RunTimes[]): RunTimes => ({
  wallMs: Math.min(...runTimes.map(({ wallMs }) => wallMs)),
  processorMs: Math.min(...runTimes.map(({ processorMs }) => processorMs)),
})

function reportTimes(name: string, { wallMs, processorMs }: RunTimes, atMost?: number): boolean {
  const isMet = reportFigure(name, wallMs, 'ms', atMost === undefined ? undefined : { atMost })
  if (!Number.isNaN(processorMs)) reportFigure(`${name}, processor`, processorMs, 'ms')
  return isMet
}

const hasSox = isInstalled('sox')
const hasFfmpeg = isInstalled('ffmpeg')

if (!(await reportQuality())) process.exitCode = 1
await plotMaker(fileURLToPath(new URL('../docs/plots', import.meta.url)))

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-maker-'))
const [inputPath, output, mp3] = [join(workDir, 'in.wav'), join(workDir, 'out.wav'), join(workDir, 'song.mp3')]
await writeFloatWav(inputPath, makerSong())
if (hasFfmpeg) execFileSync('ffmpeg', ['-v', 'error', '-i', inputPath, '-b:a', '320k', mp3])
const browser = await startMakerBrowser(mp3)
try {
  const filters = `asetrate=${SAMPLE_RATE * SPEED},aresample=${SAMPLE_RATE}:resampler=soxr`
  const candidates: { name: string; run: () => RunTimes | Promise<RunTimes> }[] = []
  const stallsMs = new Map<string, number>()
  const plainSettings = { speed: SPEED, pitch: 0, reverbSize: 0, reverbAmount: 0, bassDb: 0 }
  // The reverb slider's percentage that corresponds to a reverb of 3 s.
  const roomSettings = { ...plainSettings, speed: SLOWED_RATE, bassDb: 4, reverbSize: (100 * (3 - 0.2)) / 5.8, reverbAmount: 30 }
  const inPage = (name: string, run: () => Promise<PageFigures>) => ({ name, run: () => timePage(stallsMs, name, run) })
  const pageName = `rate ${SPEED}: varispeed in the page`
  const slowedName = `rate ${SLOWED_RATE}, 3 s of reverb, bass: varispeed in the page`
  candidates.push(
    inPage(pageName, () => browser.call('exportSong', plainSettings, 1, 2)),
    // At twice the level, an export renders the song twice, because the peak of the first pass determines the gain of the second.
    inPage(`rate ${SPEED}, too loud: varispeed in the page`, () => browser.call('exportSong', plainSettings, 2, 2)),
    inPage(slowedName, () => browser.call('exportSong', roomSettings, 1, 2)),
    inPage(`rate ${SPEED}: OfflineAudioContext, audiobuffer-to-wav`, () => browser.call('offlineContext', SPEED)),
  )
  candidates.push(inPage(`rate ${SPEED}: Tone.Offline, audiobuffer-to-wav`, () => browser.call('toneOffline', SPEED)))
  const [soxName, soxFromMp3, ownFromMp3] = [
    `rate ${SPEED}: sox`,
    `from mp3, rate ${SPEED}: sox`,
    `from mp3, rate ${SPEED}: varispeed in the page`,
  ]
  const bySox = (sourcePath: string) => timeProgram(['sox', sourcePath, '-b', '16', output, 'speed', String(SPEED)])
  const byFfmpeg = (sourcePath: string) => timeProgram(['ffmpeg', '-y', '-i', sourcePath, '-af', filters, output])
  if (hasSox) candidates.push({ name: soxName, run: () => bySox(inputPath) })
  if (hasFfmpeg) {
    candidates.push({ name: `rate ${SPEED}: ffmpeg, soxr`, run: () => byFfmpeg(inputPath) })
    candidates.push({ name: `from mp3, rate ${SPEED}: ffmpeg, soxr`, run: () => byFfmpeg(mp3) })
    candidates.push(inPage(ownFromMp3, () => browser.call('ownFromFile', plainSettings)))
    if (hasSox && soxReads(mp3)) candidates.push({ name: soxFromMp3, run: () => bySox(mp3) })
  }

  const cpuTimes = new Map(candidates.map(({ name }): [string, RunTimes[]] => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    // The times of the first round are discarded, because code and files are not cached yet.
    for (const { name, run } of candidates) {
      const runTimes = await run()
      if (round > 0) cpuTimes.get(name)?.push(runTimes)
    }
  }
  for (const [name, stallMs] of stallsMs) {
    const isMet = reportFigure(`${name}, stall`, stallMs, 'ms', name.includes('varispeed') ? { atMost: 16 } : undefined)
    if (!isMet) process.exitCode = 1
  }
  const memoryBytes = await browser.measurePeakMemory(() => browser.call('exportSong', plainSettings, 1, 2))
  if (!reportFigure(`${pageName}, memory`, memoryBytes / 1e6, 'MB', { atMost: 60 })) process.exitCode = 1
  const ofSox = minTimes(cpuTimes.get(soxName) ?? [])
  for (const [name, runTimes] of cpuTimes)
    if (!reportTimes(name, minTimes(runTimes), name === slowedName ? 600 : undefined)) process.exitCode = 1
  if (cpuTimes.has(soxName)) {
    const inPageMs = minTimes(cpuTimes.get(pageName) ?? []).wallMs
    if (!reportFigure(`of sox's time, in the page`, inPageMs / ofSox.wallMs, '', { atMost: 0.3 })) process.exitCode = 1
    const fromMp3 = minTimes(cpuTimes.get(ownFromMp3) ?? []).wallMs / minTimes(cpuTimes.get(soxFromMp3) ?? []).wallMs
    if (cpuTimes.has(soxFromMp3) && !reportFigure(`of sox's time, from mp3, in the page`, fromMp3, '', { atMost: 0.6 }))
      process.exitCode = 1
  }
} finally {
  await browser.stop()
  await rm(workDir, { recursive: true, force: true })
}
