import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createMemorySound } from '../client/engine/sound.ts'
import { readTempoExcerpt } from '../client/engine/tempo.ts'
import { detectBeat } from '../client/engine/workers/beat.ts'
import { readWav } from '../dsp/read-wav.ts'
import { installPackages, isOnPath } from '../scripts/install.mjs'
import { computeMedian, reportFigure } from './report.ts'

/**
 * Compares the tempo that the maker detects in real music with three other estimators: aubio, SoundTouch and bpm-tools. A track's reference is the
 * tempo on which two of them agree, possibly an octave apart. Tracks without a reference are listed and not counted.
 */

/** Debian's packages with game music: rock, electronic and orchestral music, jazz and folk. */
const musicPackages = [
  ...['drascula-music', 'extremetuxracer-data', 'fillets-ng-data', 'gunroar-data', 'hyperrogue-music', 'mu-cade-data', 'noiz2sa-data'],
  ...[
    'parsec47-data',
    'planetblupi-music-ogg',
    'rrootage-data',
    'singularity-music',
    'titanion-data',
    'torus-trooper-data',
    'trackballs-data',
  ],
  ...['tumiki-fighters-data', 'xmoto-data'],
]
const programPackages = { aubio: 'aubio-tools', soundstretch: 'soundstretch', bpm: 'bpm-tools', sox: 'sox', ffmpeg: 'ffmpeg' }
const MAX_TRACKS_PER_PACKAGE = 8
/** Smaller or shorter music files are left out, because they are jingles and noises. */
const MIN_TRACK = { bytes: 500_000, seconds: 45 }
const MAX_TRACK_S = 360
/** The maximum relative difference at which two reference estimators agree, and at which our estimator agrees with the reference. */
const TEMPO_TOLERANCE_RATIOS = { references: 0.03, ours: 0.04 }
const OCTAVE_FACTORS = [0.25, 0.5, 1, 2, 4]
const HALF_OR_DOUBLE_TEMPO_FACTORS = [0.5, 1, 2]

const areTemposEqual = (bpm: number, referenceBpm: number, tolerance: number, factors: readonly number[]) =>
  factors.some((factor) => Math.abs(bpm / (referenceBpm * factor) - 1) <= tolerance)

/** Runs a program and returns what it prints. */
function readProgramOutput(programName: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(programName, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  return `${stdout}${stderr}`
}

/** Returns the files of a package with music: at most MAX_TRACKS_PER_PACKAGE, evenly spread over their names. */
function listTracks(packageName: string): string[] {
  const listedFiles = readProgramOutput('dpkg', '-L', packageName)
    .split('\n')
    .filter((path) => /\.(?:ogg|mp3|flac)$/i.test(path) && statSync(path).size >= MIN_TRACK.bytes)
    .sort()
  const count = Math.min(MAX_TRACKS_PER_PACKAGE, listedFiles.length)
  return Array.from({ length: count }, (_, index) => listedFiles[Math.floor((index * listedFiles.length) / count)] ?? '')
}

/** Returns the tempos that the other programs find in a WAV file of one channel at 44.1 kHz. */
function readReferenceTempos(wavPath: string): number[] {
  const referenceTempos = [
    /([\d.]+) bpm/.exec(readProgramOutput('aubio', 'tempo', wavPath))?.[1],
    /BPM rate ([\d.]+)/.exec(readProgramOutput('soundstretch', wavPath, '-bpm'))?.[1],
    readProgramOutput('sh', '-c', 'sox "$0" -t raw -r 44100 -e float -b 32 -c 1 - | bpm -m 60 -x 200', wavPath),
  ]
  return referenceTempos.map(Number).filter((bpm) => bpm > 0)
}

/** Returns the tempos that another program agrees with. */
const filterAgreedTempos = (tempos: readonly number[]) =>
  tempos.filter((bpm, index) =>
    tempos.some((other, place) => place !== index && areTemposEqual(bpm, other, TEMPO_TOLERANCE_RATIOS.references, OCTAVE_FACTORS)),
  )

async function measureTrack(filePath: string, wavPath: string) {
  const { status } = spawnSync('ffmpeg', [
    '-v',
    'quiet',
    '-y',
    '-i',
    filePath,
    '-t',
    String(MAX_TRACK_S),
    '-ac',
    '1',
    '-ar',
    '44100',
    wavPath,
  ])
  // The package hyperrogue-music contains a file that cannot be decoded.
  if (status !== 0) return undefined
  const { channels, sampleRate } = await readWav(readFileSync(wavPath))
  const [monoSamples = new Float32Array()] = channels
  if (monoSamples.length < MIN_TRACK.seconds * sampleRate) return undefined
  const excerpt = await readTempoExcerpt(createMemorySound([monoSamples], sampleRate))
  const startMs = performance.now()
  const bpm = detectBeat(excerpt.samples, excerpt.sampleRate)
  const elapsedMs = performance.now() - startMs
  const others = readReferenceTempos(wavPath)
  return { bpm, elapsedMs, others, references: filterAgreedTempos(others) }
}

const missingPackages = Object.entries(programPackages).flatMap(([program, name]) => (isOnPath(program) ? [] : [name]))
if (!installPackages(...missingPackages, ...musicPackages)) throw new Error('the packages with programs and music could not be installed')
const soundsFolder = mkdtempSync(join(tmpdir(), 'varispeed-tempo-'))
const detectionTimesMs: number[] = []
let comparedTrackCount = 0
let correctTempoCount = 0
try {
  for (const packageName of musicPackages) {
    for (const filePath of listTracks(packageName)) {
      const track = await measureTrack(filePath, join(soundsFolder, 'track.wav'))
      if (track === undefined) continue
      const { bpm, references } = track
      const isTempoRight =
        bpm !== undefined &&
        references.some((reference) => areTemposEqual(bpm, reference, TEMPO_TOLERANCE_RATIOS.ours, HALF_OR_DOUBLE_TEMPO_FACTORS))
      detectionTimesMs.push(track.elapsedMs)
      if (references.length > 0) comparedTrackCount++
      if (isTempoRight) correctTempoCount++
      const verdictText = references.length === 0 ? 'no reference' : isTempoRight ? 'right' : 'WRONG'
      process.stdout.write(
        `${`${packageName} ${basename(filePath)}`.padEnd(64)} ${(bpm?.toFixed(2) ?? 'none').padStart(7)}  ${verdictText.padEnd(13)} others ${track.others.join(', ')}\n`,
      )
    }
  }
} finally {
  rmSync(soundsFolder, { recursive: true, force: true })
}
const areGoalsMet = [
  reportFigure('tracks with a reference', comparedTrackCount, '', { atLeast: 40 }),
  reportFigure('right, or half or double of the reference', (100 * correctTempoCount) / comparedTrackCount, '%', { atLeast: 80 }),
]
reportFigure('processor time of a detection, median', computeMedian(detectionTimesMs), 'ms')
if (areGoalsMet.includes(false)) process.exitCode = 1
