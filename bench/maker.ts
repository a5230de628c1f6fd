import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RenderSettings } from '../dsp/render-plan.ts'
import { kernelModule } from '../dsp/testing/kernels.ts'
import { wavHeader } from '../dsp/wav.ts'
import { aptInstall, onPath } from '../scripts/install.mjs'
import { startMakerBrowser } from './maker-browser.ts'
import type { PageFigures } from './maker-page/main.ts'
import { plotMaker } from './maker-plots.ts'
import { reportQuality } from './maker-quality.ts'
import { makerSong, SONG_RATE } from './maker-song.ts'
import type { Work } from './maker-worker.ts'
import { startWorkers, type Workers } from './maker-workers.ts'
import { report } from './report.ts'

// The maker's exports beside sox and ffmpeg, each in turn within a round, so that whatever else the machine does hits all alike.
// `npm run bench -- maker [--rounds N]`; peers that are not there and cannot be installed are left out.

const SAMPLE_RATE = SONG_RATE
const RATE = 1.25
const SLOWED_RATE = 0.85

const at = process.argv.indexOf('--rounds')
const rounds = at < 0 ? 5 : Number(process.argv[at + 1])

async function writeFloatWav(path: string, [left, right]: Work['channels']) {
  const samples = new Float32Array(2 * left.length)
  for (let frame = 0; frame < left.length; frame++) {
    samples[2 * frame] = left[frame] as number
    samples[2 * frame + 1] = right[frame] as number
  }
  const header = wavHeader({ format: 'float32', channels: 2, sampleRate: SAMPLE_RATE, frames: left.length })
  await writeFile(path, Buffer.concat([header, new Uint8Array(samples.buffer)]))
}

/** Wall-clock and processor time. Where other programs keep the machine busy only the second says something. */
interface Spent {
  readonly wallMs: number
  readonly processorMs: number
}

async function timeOwn(run: () => Promise<void>): Promise<Spent> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  await run()
  const { user, system } = process.cpuUsage(before)
  return { wallMs: performance.now() - start, processorMs: (user + system) / 1000 }
}

/** In the browser; the processor's time is not known there. */
async function timePage(stalls: Map<string, number>, name: string, run: () => Promise<PageFigures>): Promise<Spent> {
  const { wallMs, stallMs } = await run()
  stalls.set(name, Math.min(stallMs, stalls.get(name) ?? stallMs))
  return { wallMs, processorMs: Number.NaN }
}

/** The shell's `times` says on its second line what its children spent, as 0m1.25s for user and system. */
function timePeer(command: readonly string[]): Spent {
  const start = performance.now()
  const output = execFileSync('sh', ['-c', '"$@" >/dev/null 2>&1 && times', 'sh', ...command], { encoding: 'utf8' })
  const wallMs = performance.now() - start
  const spent = [...(output.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return { wallMs, processorMs: spent.reduce((sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds), 0) }
}

/** Installed where that is possible. */
const isInstalled = (program: string) => onPath(program) || (aptInstall(program) && onPath(program))

/** Debian has that in a package of its own. */
function soxReads(path: string): boolean {
  const reads = () => spawnSync('sox', [path, '-n'], { stdio: 'ignore' }).status === 0
  return reads() || (aptInstall('libsox-fmt-mp3') && reads())
}

/** Of several runs, the least of each: what other work on the machine disturbed least. */
const least = (spent: readonly Spent[]): Spent => ({
  wallMs: Math.min(...spent.map(({ wallMs }) => wallMs)),
  processorMs: Math.min(...spent.map(({ processorMs }) => processorMs)),
})

function reportTimes(name: string, { wallMs, processorMs }: Spent, atMost?: number): boolean {
  const kept = report(name, wallMs, 'ms', atMost === undefined ? undefined : { atMost })
  if (!Number.isNaN(processorMs)) report(`${name}, processor`, processorMs, 'ms')
  return kept
}

const hasSox = isInstalled('sox')
const hasFfmpeg = isInstalled('ffmpeg')

if (!(await reportQuality())) process.exitCode = 1
await plotMaker(fileURLToPath(new URL('../docs/plots', import.meta.url)))

const work = await mkdtemp(join(tmpdir(), 'varispeed-maker-'))
const [input, output, mp3] = [join(work, 'in.wav'), join(work, 'out.wav'), join(work, 'song.mp3')]
const channels = makerSong()
await writeFloatWav(input, channels)
const workers: Workers = await startWorkers(2, kernelModule())
if (hasFfmpeg) execFileSync('ffmpeg', ['-v', 'error', '-i', input, '-b:a', '320k', mp3])
const browser = await startMakerBrowser(mp3)
try {
  const varispeed =
    (settings: Omit<RenderSettings, 'sampleRate'>, sound = channels) =>
    async () => {
      const { parts } = await workers.exportWav(sound, { sampleRate: SAMPLE_RATE, ...settings })
      await writeFile(output, parts)
    }
  const faster = varispeed({ rate: RATE })
  const slowed = varispeed({ rate: SLOWED_RATE, bassDb: 4, reverb: { seconds: 3, amount: 0.3 } })
  const tooLoud = varispeed({ rate: RATE }, [channels[0].map((sample) => 2 * sample), channels[1].map((sample) => 2 * sample)])
  const filters = `asetrate=${SAMPLE_RATE * RATE},aresample=${SAMPLE_RATE}:resampler=soxr`
  const slowedName = `rate ${SLOWED_RATE}, 3 s of reverb, bass: varispeed`
  const candidates: { name: string; run: () => Spent | Promise<Spent> }[] = [
    { name: `rate ${RATE}: varispeed`, run: () => timeOwn(faster) },
    // Rendered twice: once for the peak of the whole, once lowered by what that asks for.
    { name: `rate ${RATE}, too loud: varispeed`, run: () => timeOwn(tooLoud) },
    { name: slowedName, run: () => timeOwn(slowed) },
  ]
  const stalls = new Map<string, number>()
  const plain = { speed: RATE, pitch: 0, reverbSize: 0, reverbAmount: 0, bassDb: 0 }
  // 3 s, as above.
  const room = { ...plain, speed: SLOWED_RATE, bassDb: 4, reverbSize: (100 * (3 - 0.2)) / 5.8, reverbAmount: 30 }
  const inPage = (name: string, run: () => Promise<PageFigures>) => ({ name, run: () => timePage(stalls, name, run) })
  const pageName = `rate ${RATE}: varispeed in the page`
  candidates.push(
    inPage(pageName, () => browser.call('own', plain, 1, 2)),
    inPage(`rate ${RATE}, too loud: varispeed in the page`, () => browser.call('own', plain, 2, 2)),
    inPage(`rate ${SLOWED_RATE}, 3 s of reverb, bass: varispeed in the page`, () => browser.call('own', room, 1, 2)),
    inPage(`rate ${RATE}: OfflineAudioContext, audiobuffer-to-wav`, () => browser.call('offlineContext', RATE)),
  )
  candidates.push(inPage(`rate ${RATE}: Tone.Offline, audiobuffer-to-wav`, () => browser.call('toneOffline', RATE)))
  const [sox, soxFromMp3, ownFromMp3] = [
    `rate ${RATE}: sox`,
    `from mp3, rate ${RATE}: sox`,
    `from mp3, rate ${RATE}: varispeed in the page`,
  ]
  const bySox = (from: string) => timePeer(['sox', from, '-b', '16', output, 'speed', String(RATE)])
  const byFfmpeg = (from: string) => timePeer(['ffmpeg', '-y', '-i', from, '-af', filters, output])
  if (hasSox) candidates.push({ name: sox, run: () => bySox(input) })
  if (hasFfmpeg) {
    candidates.push({ name: `rate ${RATE}: ffmpeg, soxr`, run: () => byFfmpeg(input) })
    candidates.push({ name: `from mp3, rate ${RATE}: ffmpeg, soxr`, run: () => byFfmpeg(mp3) })
    candidates.push(inPage(ownFromMp3, () => browser.call('ownFromFile', plain)))
    if (hasSox && soxReads(mp3)) candidates.push({ name: soxFromMp3, run: () => bySox(mp3) })
  }

  const spent = new Map(candidates.map(({ name }): [string, Spent[]] => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    // The first round reads files and compiles code for the first time.
    for (const { name, run } of candidates) {
      const times = await run()
      if (round > 0) spent.get(name)?.push(times)
    }
  }
  for (const [name, stallMs] of stalls) {
    const kept = report(`${name}, stall`, stallMs, 'ms', name.includes('varispeed') ? { atMost: 16 } : undefined)
    if (!kept) process.exitCode = 1
  }
  const memoryBytes = await browser.memoryOf(() => browser.call('own', plain, 1, 2))
  if (!report(`${pageName}, memory`, memoryBytes / 1e6, 'MB', { atMost: 60 })) process.exitCode = 1
  const [own, ofSox] = [candidates[0]?.name ?? '', sox].map((name) => least(spent.get(name) ?? []))
  for (const [name, times] of spent)
    if (!reportTimes(name, least(times), name.startsWith(slowedName) ? 600 : undefined)) process.exitCode = 1
  if (own !== undefined && ofSox !== undefined && spent.has(sox)) {
    if (!report(`of sox's time, on 2 processors`, own.wallMs / ofSox.wallMs, '', { atMost: 0.3 })) process.exitCode = 1
    const inPageMs = least(spent.get(pageName) ?? []).wallMs
    if (!report(`of sox's time, in the page`, inPageMs / ofSox.wallMs, '', { atMost: 0.3 })) process.exitCode = 1
    const fromMp3 = least(spent.get(ownFromMp3) ?? []).wallMs / least(spent.get(soxFromMp3) ?? []).wallMs
    if (spent.has(soxFromMp3) && !report(`of sox's time, from mp3, in the page`, fromMp3, '', { atMost: 0.6 })) process.exitCode = 1
    report(`of sox's processor time`, own.processorMs / ofSox.processorMs, '')
  }
} finally {
  await workers.stop()
  await browser.stop()
  await rm(work, { recursive: true, force: true })
}
