import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { aptInstall, isOnPath } from '../scripts/install.mjs'
import { startMakerBrowser } from './maker-browser.ts'
import { plotMaker } from './maker-plots.ts'
import { openProductPage } from './maker-product.ts'
import { reportQuality } from './maker-quality.ts'
import { makerSong, makerSongWav, SONG_SAMPLE_RATE } from './maker-song.ts'
import { numberArgument } from './number-argument.ts'
import { median, reportFigure } from './report.ts'

// `npm run bench -- maker [--rounds N]`: compares loads and exports in the built page with sox, ffmpeg and the browser's own resampling. Each round
// runs every program once, so that other load on the machine affects all alike. Programs that are missing and cannot be installed are left out.

const SAMPLE_RATE = SONG_SAMPLE_RATE
const SPEED_RATIO = 1.25
const SLOWED_RATE = 0.85
/** The factor that makes the song clip. */
const HOT_GAIN = 2

const rounds = numberArgument('--rounds', 5)

/** Wall-clock and processor time of a run. On a busy machine only the processor time is meaningful. */
interface RunTimes {
  readonly wallMs: number
  readonly processorMs: number
}

/** The time of a run in the browser, whose processor time is unknown. */
const wallTime = (wallMs: number): RunTimes => ({ wallMs, processorMs: Number.NaN })

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
function soxReads(filePath: string): boolean {
  const canRead = () => spawnSync('sox', [filePath, '-n'], { stdio: 'ignore' }).status === 0
  return canRead() || (aptInstall('libsox-fmt-mp3') && canRead())
}

/** Returns the minimum times of several runs, which other load on the machine affected least. */
const minTimes = (runTimes: readonly RunTimes[]): RunTimes => ({
  wallMs: Math.min(...runTimes.map(({ wallMs }) => wallMs)),
  processorMs: Math.min(...runTimes.map(({ processorMs }) => processorMs)),
})

function reportTimes(name: string, { wallMs, processorMs }: RunTimes) {
  reportFigure(name, wallMs, 'ms')
  if (!Number.isNaN(processorMs)) reportFigure(`${name}, processor`, processorMs, 'ms')
}

const hasSox = isInstalled('sox')
const hasFfmpeg = isInstalled('ffmpeg')

if (!(await reportQuality())) process.exitCode = 1
await plotMaker(fileURLToPath(new URL('../docs/plots', import.meta.url)))

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-maker-'))
const pathOf = (name: string) => join(workDir, name)
const [songWav, hotWav, outputWav] = [pathOf('song.wav'), pathOf('hot.wav'), pathOf('out.wav')]
await writeFile(songWav, makerSongWav())
await writeFile(hotWav, makerSongWav(makerSong(HOT_GAIN)))
/** The formats of the song besides WAV, with the options of ffmpeg's encoder. */
const encodings = { mp3: ['-b:a', '320k'], ogg: ['-q:a', '6'], m4a: ['-b:a', '256k'], flac: [] }
for (const [extension, options] of hasFfmpeg ? Object.entries(encodings) : [])
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', songWav, ...options, pathOf(`song.${extension}`)])

const times = new Map<string, RunTimes[]>()
const addTimes = (name: string, runTimes: RunTimes) => times.set(name, [...(times.get(name) ?? []), runTimes])
const bestMs = (name: string) => minTimes(times.get(name) ?? []).wallMs
let areMet = true
function report(name: string, value: number, unit: string, atMost?: number) {
  if (!reportFigure(name, value, unit, atMost === undefined ? undefined : { atMost })) areMet = false
}

const filters = `asetrate=${SAMPLE_RATE * SPEED_RATIO},aresample=${SAMPLE_RATE}:resampler=soxr`
const runSox = (path: string) => timeProgram(['sox', path, '-b', '16', outputWav, 'speed', String(SPEED_RATIO)])
const runFfmpeg = (path: string) => timeProgram(['ffmpeg', '-y', '-i', path, '-af', filters, outputWav])
const product = await openProductPage()
const peers = await startMakerBrowser()
try {
  const plainSettings = { Speed: SPEED_RATIO, Pitch: 0, Bass: 0, 'Reverb amount': 0 }
  // The size is the percentage of the slider that is closest to a reverb of 3 s.
  const slowedSettings = { Speed: SLOWED_RATE, Bass: 4, 'Reverb size': Math.round((100 * (3 - 0.2)) / 5.8), 'Reverb amount': 30 }
  const timeExport = async (name: string, loadMs = 0) => {
    const { blobMs, fileMs } = await product.exportWav()
    addTimes(name, wallTime(loadMs + blobMs))
    addTimes(`${name}, on the disk`, wallTime(loadMs + fileMs))
  }
  // The times of the first round are discarded, because code and files are not cached yet.
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) times.clear()
    await product.set(plainSettings)
    addTimes('WAV: load', wallTime(await product.load(songWav)))
    await product.waitUntilIdle()
    await timeExport('export')
    if (hasSox) addTimes('sox', runSox(songWav))
    if (hasFfmpeg) addTimes('ffmpeg', runFfmpeg(songWav))
    await product.set(slowedSettings)
    await timeExport('slowed + reverb')
    await product.set(plainSettings)
    await product.load(hotWav)
    await product.waitUntilIdle()
    await timeExport('hot master')
    if (hasSox) addTimes('hot master: sox', runSox(hotWav))
    for (const extension of hasFfmpeg ? Object.keys(encodings) : []) {
      const loadMs = await product.load(pathOf(`song.${extension}`))
      addTimes(`${extension}: load`, wallTime(loadMs))
      await timeExport(`${extension} to WAV`, loadMs)
      addTimes(`${extension} to WAV: ffmpeg`, runFfmpeg(pathOf(`song.${extension}`)))
      if (hasSox && soxReads(pathOf(`song.${extension}`))) addTimes(`${extension} to WAV: sox`, runSox(pathOf(`song.${extension}`)))
    }
    addTimes('OfflineAudioContext, audiobuffer-to-wav', wallTime(await peers.call('offlineContext', SPEED_RATIO)))
    addTimes('Tone.Offline, audiobuffer-to-wav', wallTime(await peers.call('toneOffline', SPEED_RATIO)))
  }
  for (const [name, runTimes] of times) reportTimes(name, minTimes(runTimes))
  if (hasSox) {
    report("export, of sox's time", bestMs('export') / bestMs('sox'), '', 0.3)
    report("hot master, of sox's time", bestMs('hot master') / bestMs('hot master: sox'), '', 0.45)
    if (times.has('mp3 to WAV: sox')) report("mp3 to WAV, of sox's time", bestMs('mp3 to WAV') / bestMs('mp3 to WAV: sox'), '', 0.6)
  }
  report('slowed + reverb', bestMs('slowed + reverb'), 'ms', 600)

  for (const path of [songWav, ...(hasFfmpeg ? Object.keys(encodings).map((extension) => pathOf(`song.${extension}`)) : [])]) {
    report(`longest task, loading ${basename(path)}`, await product.measureStall(() => product.load(path)), 'ms', 16)
    report(`longest task, exporting ${basename(path)}`, await product.measureStall(() => product.exportWav()), 'ms', 16)
  }
  await product.set({ 'Reverb size': 100, 'Reverb amount': 30 })
  const sliderValues = {
    Speed: [1, 1.05, 1.1, 1.15, 1.2, 1.25],
    Bass: [1, 2, 3, 4, 5, 6],
    'Reverb amount': [20, 25, 35, 40, 45, 50],
    'Reverb size': [99, 98, 97, 96, 95, 94],
  }
  for (const [slider, values] of Object.entries(sliderValues))
    report(
      `slider to sound, longest reverb, ${slider.toLowerCase()}, median`,
      median(await product.measureChanges(slider, values)),
      'ms',
      50,
    )
  await product.set(plainSettings)
  await product.slowDown(4)
  report('export, main thread slowed 4 times', (await product.exportWav()).blobMs, 'ms')
} finally {
  await product.stop()
  await peers.stop()
  await rm(workDir, { recursive: true, force: true })
}
if (!areMet) process.exitCode = 1
