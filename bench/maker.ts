import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages, isOnPath } from '../scripts/install.mjs'
import { startMakerBrowser } from './maker-browser.ts'
import { plotMaker } from './maker-plots.ts'
import { openProductPage } from './maker-product.ts'
import { reportQuality } from './maker-quality.ts'
import { createMakerSong, createMakerSongWav, SONG_SAMPLE_RATE } from './maker-song.ts'
import { readNumberArgument } from './number-argument.ts'
import { computeMedian, reportFigure } from './report.ts'

// `npm run bench -- maker [--rounds N]`: compares loads and exports in the built page with sox, ffmpeg and the browser's own resampling. Each round
// runs every program once, so that other load on the machine affects all alike. Programs that are missing and cannot be installed are left out.

const SAMPLE_RATE = SONG_SAMPLE_RATE
const SPEED_RATIO = 1.25
const SLOWED_RATE = 0.85
/** The factor that makes the song clip. */
const CLIPPING_GAIN = 2

const roundCount = readNumberArgument('--rounds', 5)

/** Wall-clock and processor time of a run. On a busy machine only the processor time is meaningful. */
interface RunTimes {
  readonly wallMs: number
  readonly processorMs: number
}

/** The time of a run in the browser, whose processor time is unknown. */
const toRunTimes = (wallMs: number): RunTimes => ({ wallMs, processorMs: Number.NaN })

/** Times a program. The second line of the shell's `times` is the children's user and system time, such as 0m1.25s. */
function timeProgram(commandWords: readonly string[]): RunTimes {
  const startMs = performance.now()
  const timesText = execFileSync('sh', ['-c', '"$@" >/dev/null 2>&1 && times', 'sh', ...commandWords], { encoding: 'utf8' })
  const wallMs = performance.now() - startMs
  const cpuTimes = [...(timesText.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return { wallMs, processorMs: cpuTimes.reduce((sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds), 0) }
}

/** Returns whether a program is installed, and installs it if possible. */
const isInstalled = (program: string) => isOnPath(program) || (installPackages(program) && isOnPath(program))

/** Returns whether sox can read a file. Debian's sox reads MP3 only with a further package, which is installed if possible. */
function canSoxRead(filePath: string): boolean {
  const canRead = () => spawnSync('sox', [filePath, '-n'], { stdio: 'ignore' }).status === 0
  return canRead() || (installPackages('libsox-fmt-mp3') && canRead())
}

/** Returns the minimum times of several runs, which other load on the machine affected least. */
const findMinTimes = (runTimes: readonly RunTimes[]): RunTimes => ({
  wallMs: Math.min(...runTimes.map(({ wallMs }) => wallMs)),
  processorMs: Math.min(...runTimes.map(({ processorMs }) => processorMs)),
})

function reportTimes(figureName: string, { wallMs, processorMs }: RunTimes) {
  reportFigure(figureName, wallMs, 'ms')
  if (!Number.isNaN(processorMs)) reportFigure(`${figureName}, processor`, processorMs, 'ms')
}

const hasSox = isInstalled('sox')
const hasFfmpeg = isInstalled('ffmpeg')

if (!(await reportQuality())) process.exitCode = 1
await plotMaker(fileURLToPath(new URL('../docs/plots', import.meta.url)))

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-maker-'))
const resolveWorkPath = (name: string) => join(workDir, name)
const [songWav, clippedWav, outputWav] = [resolveWorkPath('song.wav'), resolveWorkPath('hot.wav'), resolveWorkPath('out.wav')]
await writeFile(songWav, createMakerSongWav())
await writeFile(clippedWav, createMakerSongWav(createMakerSong(CLIPPING_GAIN)))
/** The formats of the song besides WAV, with the options of ffmpeg's encoder. */
const argumentsByExtension = { mp3: ['-b:a', '320k'], ogg: ['-q:a', '6'], m4a: ['-b:a', '256k'], flac: [] }
for (const [extension, options] of hasFfmpeg ? Object.entries(argumentsByExtension) : [])
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', songWav, ...options, resolveWorkPath(`song.${extension}`)])

const runTimesByName = new Map<string, RunTimes[]>()
const addTimes = (name: string, runTimes: RunTimes) => runTimesByName.set(name, [...(runTimesByName.get(name) ?? []), runTimes])
const findBestMs = (name: string) => findMinTimes(runTimesByName.get(name) ?? []).wallMs
let areGoalsMet = true
function reportWithLimit(name: string, value: number, unit: string, atMost?: number) {
  if (!reportFigure(name, value, unit, atMost === undefined ? undefined : { atMost })) areGoalsMet = false
}

const ffmpegFilters = `asetrate=${SAMPLE_RATE * SPEED_RATIO},aresample=${SAMPLE_RATE}:resampler=soxr`
const runSox = (path: string) => timeProgram(['sox', path, '-b', '16', outputWav, 'speed', String(SPEED_RATIO)])
const runFfmpeg = (path: string) => timeProgram(['ffmpeg', '-y', '-i', path, '-af', ffmpegFilters, outputWav])
const product = await openProductPage()
const resamplingBrowser = await startMakerBrowser()
try {
  const plainSettings = { Speed: SPEED_RATIO, Pitch: 0, Bass: 0, 'Reverb amount': 0 }
  // The size is the percentage of the slider that is closest to a reverb of 3 s.
  const slowedSettings = { Speed: SLOWED_RATE, Bass: 4, 'Reverb size': Math.round((100 * (3 - 0.2)) / 5.8), 'Reverb amount': 30 }
  const timeExport = async (exportName: string, loadMs = 0) => {
    const { blobReadyMs, fileSavedMs } = await product.exportWav()
    addTimes(exportName, toRunTimes(loadMs + blobReadyMs))
    addTimes(`${exportName}, on the disk`, toRunTimes(loadMs + fileSavedMs))
  }
  // The times of the first round are discarded, because code and files are not cached yet.
  for (let round = 0; round <= roundCount; round++) {
    if (round === 1) runTimesByName.clear()
    await product.setSliders(plainSettings)
    addTimes('WAV: load', toRunTimes(await product.loadFile(songWav)))
    await product.waitUntilIdle()
    await timeExport('export')
    if (hasSox) addTimes('sox', runSox(songWav))
    if (hasFfmpeg) addTimes('ffmpeg', runFfmpeg(songWav))
    await product.setSliders(slowedSettings)
    await timeExport('slowed + reverb')
    await product.setSliders(plainSettings)
    await product.loadFile(clippedWav)
    await product.waitUntilIdle()
    await timeExport('hot master')
    if (hasSox) addTimes('hot master: sox', runSox(clippedWav))
    for (const fileExtension of hasFfmpeg ? Object.keys(argumentsByExtension) : []) {
      const loadMs = await product.loadFile(resolveWorkPath(`song.${fileExtension}`))
      addTimes(`${fileExtension}: load`, toRunTimes(loadMs))
      await timeExport(`${fileExtension} to WAV`, loadMs)
      addTimes(`${fileExtension} to WAV: ffmpeg`, runFfmpeg(resolveWorkPath(`song.${fileExtension}`)))
      if (hasSox && canSoxRead(resolveWorkPath(`song.${fileExtension}`)))
        addTimes(`${fileExtension} to WAV: sox`, runSox(resolveWorkPath(`song.${fileExtension}`)))
    }
    addTimes('OfflineAudioContext, audiobuffer-to-wav', toRunTimes(await resamplingBrowser.call('offlineContext', SPEED_RATIO)))
    addTimes('Tone.Offline, audiobuffer-to-wav', toRunTimes(await resamplingBrowser.call('toneOffline', SPEED_RATIO)))
  }
  for (const [name, runTimes] of runTimesByName) reportTimes(name, findMinTimes(runTimes))
  if (hasSox) {
    reportWithLimit("export, of sox's time", findBestMs('export') / findBestMs('sox'), '', 0.3)
    reportWithLimit("hot master, of sox's time", findBestMs('hot master') / findBestMs('hot master: sox'), '', 0.45)
    if (runTimesByName.has('mp3 to WAV: sox'))
      reportWithLimit("mp3 to WAV, of sox's time", findBestMs('mp3 to WAV') / findBestMs('mp3 to WAV: sox'), '', 0.6)
  }
  reportWithLimit('slowed + reverb', findBestMs('slowed + reverb'), 'ms', 600)

  for (const path of [
    songWav,
    ...(hasFfmpeg ? Object.keys(argumentsByExtension).map((extension) => resolveWorkPath(`song.${extension}`)) : []),
  ]) {
    reportWithLimit(`longest task, loading ${basename(path)}`, await product.measureStall(() => product.loadFile(path)), 'ms', 16)
    reportWithLimit(`longest task, exporting ${basename(path)}`, await product.measureStall(() => product.exportWav()), 'ms', 16)
  }
  await product.setSliders({ 'Reverb size': 100, 'Reverb amount': 30 })
  const sliderValues = {
    Speed: [1, 1.05, 1.1, 1.15, 1.2, 1.25],
    Bass: [1, 2, 3, 4, 5, 6],
    'Reverb amount': [20, 25, 35, 40, 45, 50],
    'Reverb size': [99, 98, 97, 96, 95, 94],
  }
  for (const [sliderName, values] of Object.entries(sliderValues))
    reportWithLimit(
      `slider to sound, longest reverb, ${sliderName.toLowerCase()}, median`,
      computeMedian(await product.measureChanges(sliderName, values)),
      'ms',
      50,
    )
  await product.setSliders(plainSettings)
  await product.slowDown(4)
  reportWithLimit('export, main thread slowed 4 times', (await product.exportWav()).blobReadyMs, 'ms')
} finally {
  await product.stop()
  await resamplingBrowser.stop()
  await rm(workDir, { recursive: true, force: true })
}
if (!areGoalsMet) process.exitCode = 1
