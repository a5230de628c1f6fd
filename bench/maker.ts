import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RenderSettings } from '../dsp/render-plan.ts'
import { kernelModule } from '../dsp/testing/kernels.ts'
import { wavHeader } from '../dsp/wav.ts'
import type { Work } from './maker-worker.ts'
import { startWorkers, type Workers } from './maker-workers.ts'
import { report } from './report.ts'

// The maker's exports beside sox and ffmpeg, each in turn within a round, so that whatever else the machine does hits all alike.
// `npm run bench -- maker [--rounds N]`; peers that are not installed are left out.

const SAMPLE_RATE = 44_100
const SECONDS = 240
const RATE = 1.25
const SLOWED_RATE = 0.85

const at = process.argv.indexOf('--rounds')
const rounds = at < 0 ? 5 : Number(process.argv[at + 1])

/** Four minutes of stereo below full scale: tones that come and go, and noise. */
function song(): Work['channels'] {
  const channel = (seed: number) => {
    let random = seed
    return Float32Array.from({ length: SECONDS * SAMPLE_RATE }, (_, frame) => {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) | 0
      const beat = Math.exp(-((frame % 20_000) / 6000))
      return 0.3 * beat * Math.sin(frame * 0.0078 * seed) + 0.2 * Math.sin(frame * 0.0313 + seed) + (0.05 * random) / 2 ** 31
    })
  }
  return [channel(1), channel(2)]
}

async function writeFloatWav(path: string, [left, right]: Work['channels']) {
  const samples = new Float32Array(2 * left.length)
  for (let frame = 0; frame < left.length; frame++) {
    samples[2 * frame] = left[frame] as number
    samples[2 * frame + 1] = right[frame] as number
  }
  const header = wavHeader({ format: 'float32', channels: 2, sampleRate: SAMPLE_RATE, frames: left.length })
  await writeFile(path, Buffer.concat([header, new Uint8Array(samples.buffer)]))
}

async function timeMs(run: () => unknown): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

async function leastTimeMs(times: number, run: () => unknown): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY
  for (let time = 0; time < times; time++) leastMs = Math.min(leastMs, await timeMs(run))
  return leastMs
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, [program === 'sox' ? '--version' : '-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const work = await mkdtemp(join(tmpdir(), 'varispeed-maker-'))
const [input, output] = [join(work, 'in.wav'), join(work, 'out.wav')]
const channels = song()
await writeFloatWav(input, channels)
const workers: Workers = await startWorkers(2, kernelModule())
try {
  const varispeed = (settings: Omit<RenderSettings, 'sampleRate'>) => async () => {
    const { parts } = await workers.exportWav(channels, { sampleRate: SAMPLE_RATE, ...settings })
    await writeFile(output, parts)
  }
  const resampler = `asetrate=${SAMPLE_RATE * RATE},aresample=${SAMPLE_RATE}:resampler=soxr`
  const candidates = [
    { name: 'varispeed, 2 workers', run: varispeed({ rate: RATE }) },
    { name: 'sox', run: () => execFileSync('sox', [input, '-b', '16', output, 'speed', String(RATE)]) },
    { name: 'ffmpeg with soxr', run: () => execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', input, '-af', resampler, output]) },
  ].filter(({ name }) => name.startsWith('varispeed') || isInstalled(name.split(' ')[0] as string))
  const timesMs = candidates.map((): number[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { run }] of candidates.entries()) {
      const spentMs = await timeMs(run)
      // The first round reads files and compiles code for the first time.
      if (round > 0) timesMs[index]?.push(spentMs)
    }
  }
  // The least time is the one that other work on the machine disturbed least.
  const leastMs = timesMs.map((times) => Math.min(...times))
  candidates.forEach(({ name }, index) => {
    report(`4 min at rate ${RATE} to a 16-bit WAV file: ${name}`, leastMs[index] ?? Number.NaN, 'ms')
  })
  const slowed = await leastTimeMs(rounds, varispeed({ rate: SLOWED_RATE, bassDb: 4, reverb: { seconds: 3, amount: 0.3 } }))
  if (!report(`4 min slowed to ${SLOWED_RATE} with 3 s of reverb and bass`, slowed, 'ms', { atMost: 600 })) process.exitCode = 1
  const sox = candidates.findIndex(({ name }) => name === 'sox')
  const ratio = (leastMs[0] ?? Number.NaN) / (leastMs[sox] ?? Number.NaN)
  if (sox > 0 && !report(`of sox's time`, ratio, '', { atMost: 0.3 })) process.exitCode = 1
} finally {
  await workers.stop()
  await rm(work, { recursive: true, force: true })
}
