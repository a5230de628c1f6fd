import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { aptInstall, onPath } from '../scripts/install.mjs'
import { expect, test } from './fixtures.ts'
import { downloaded, downloadedWav, key, load, openMaker, slide, slider } from './maker-steps.ts'

// Real music through the real page, read back by programs that know nothing of it.

/** Of Debian's packages with the music of games: Ogg Vorbis. */
const tracks = ['/usr/share/scummvm/drascula/audio/track2.ogg', '/usr/share/hyperrogue/music/hr3-caves.ogg']

let folder = ''
const files: { name: string; mimeType: string; buffer: Buffer }[] = []

test.beforeAll(() => {
  if (!onPath('sox') || !onPath('ffmpeg')) aptInstall('sox', 'ffmpeg')
  aptInstall('drascula-music', 'hyperrogue-music')
  folder = mkdtempSync(join(tmpdir(), 'varispeed-music-'))
  for (const track of tracks) {
    files.push({ name: basename(track), mimeType: 'audio/ogg', buffer: readFileSync(track) })
    const flac = join(folder, basename(track).replace('.ogg', '.flac'))
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', track, '-t', '60', flac])
    files.push({ name: basename(flac), mimeType: 'audio/flac', buffer: readFileSync(flac) })
  }
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** ffmpeg says it of every WAV file that says of its two channels nothing but that they are two, its own included. */
const OF_EVERY_WAV = /^Guessed Channel Layout for Input Stream #0\.0 : (?:mono|stereo)\n/gm

/** Floats go beyond full scale where the music does; sox, which counts in whole numbers, cannot follow. */
const OF_LOUD_FLOATS = /^sox WARN sox: `.*' input clipped \d+ samples\n/gm

/** What programs say of a file while they read all of it: nothing, where all is well. */
function complaints(path: string): string {
  const said = [
    spawnSync('sox', ['-V2', path, '-n'], { encoding: 'utf8' }),
    spawnSync('ffmpeg', ['-v', 'warning', '-i', path, '-f', 'null', '-'], { encoding: 'utf8' }),
    spawnSync('ffprobe', ['-v', 'warning', path], { encoding: 'utf8' }),
  ]
  return said
    .map(({ status, stderr }) => (status === 0 ? stderr : `failed: ${stderr}`))
    .join('')
    .replace(OF_EVERY_WAV, '')
}

test('real music is loaded, changed and exported, and other programs read it without a word', async ({ page, site }) => {
  test.setTimeout(600_000)
  await openMaker(page, site)
  for (const file of files) {
    await test.step(file.name, async () => {
      await load(page, file)
      await key(page, 'Pause').click()
      for (const [speed, pitch, reverb] of [
        [1.25, 0, 0],
        [0.8, -2, 40],
      ] as const) {
        await slide(page, 'Speed', speed)
        await slide(page, 'Pitch', pitch)
        await slide(page, 'Reverb amount', reverb)
        for (const format of ['Download as WAV', /^32-bit float WAV/, /^MP3 320 kbps/]) {
          const { name, bytes } = await downloaded(page, format)
          const path = join(folder, name)
          writeFileSync(path, bytes)
          // sox of Debian reads no MP3 without a package of its own.
          const said = name.endsWith('.mp3')
            ? spawnSync('ffmpeg', ['-v', 'warning', '-i', path, '-f', 'null', '-'], { encoding: 'utf8' }).stderr
            : complaints(path)
          const isFloat = String(format).includes('float')
          expect(isFloat ? said.replace(OF_LOUD_FLOATS, '') : said, `${name}, ${format}`).toBe('')
        }
      }
    })
  }
})

/** Where sound is rendered: of what is heard there nothing is lost, however busy the page is. */
const RECORDER = `registerProcessor('recorder', class extends AudioWorkletProcessor {
  process([[left = new Float32Array(128)]]) {
    this.port.postMessage(left.slice())
    return true
  }
})`

test.describe(() => {
  // The recorder is no part of the site's program.
  test.use({ bypassCSP: true })
  test('what is heard is what is exported: the same samples before dither', async ({ page, site }) => {
    test.setTimeout(300_000)
    await page.addInitScript(recordWhatIsHeard, RECORDER)
    await openMaker(page, site)
    const [file] = files
    if (!file) throw new Error('there is no music')
    await load(page, file)
    await key(page, 'Pause').click()
    await slide(page, 'Speed', 0.85)
    await slide(page, 'Bass', 3)
    await slide(page, 'Reverb amount', 15)
    await slider(page, 'Position').focus()
    await page.keyboard.press('Home')
    await page.waitForTimeout(1_000)
    const from = await page.evaluate(() => Number(Reflect.get(globalThis, 'heardFrames')))
    await key(page, 'Play').click()
    await page.waitForTimeout(6_000)
    await key(page, 'Pause').click()
    const heard = new Float32Array(
      Uint8Array.from(
        Buffer.from(
          await page.evaluate((start) => (Reflect.get(globalThis, 'heardAsText') as (start: number) => string)(start), from),
          'base64',
        ),
      ).buffer,
    )
    const { channels } = await downloadedWav(page, /^32-bit float WAV/)
    const left = channels[0] ?? new Float32Array()

    // Stretches of a fifth of a second, each where it fits best.
    const found = Array.from({ length: 12 }, (_, index) => {
      const start = Math.round(heard.length * (0.3 + index * 0.04))
      return bestFit(heard.subarray(start, start + 8820), left)
    }).filter(({ restDb }) => restDb < -100)
    process.stdout.write(`heard and exported differ by ${found.map(({ restDb }) => restDb.toFixed(0)).join(', ')} dB of full scale\n`)
    expect(found.length).toBeGreaterThanOrEqual(6)
    // One after the other, as they are in the file.
    expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).sort((a, b) => a - b))
  })
})

function bestFit(stretch: Float32Array, whole: Float32Array): { restDb: number; at: number } {
  let best = { restDb: 0, at: -1 }
  for (let at = 0; at + stretch.length <= Math.min(whole.length, 12 * 44_100); at++) {
    let rest = 0
    for (let index = 0; index < stretch.length && rest < 1e-3; index++) rest += ((whole[at + index] ?? 0) - (stretch[index] ?? 0)) ** 2
    const restDb = 10 * Math.log10(Math.max(1e-30, rest / stretch.length))
    if (rest < 1e-3 && restDb < best.restDb) best = { restDb, at }
  }
  return best
}

test('a hundred exports in a row leave nothing behind', async ({ page, site, context }) => {
  test.setTimeout(600_000)
  await page.addInitScript(() => {
    const counts = { workers: 0, contexts: 0, urls: 0 }
    Reflect.set(globalThis, 'counts', counts)
    const { terminate } = Worker.prototype
    globalThis.Worker = class extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given)
        counts.workers++
      }
    }
    Worker.prototype.terminate = function () {
      counts.workers--
      terminate.call(this)
    }
    globalThis.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options)
        counts.contexts++
      }
    }
    const { createObjectURL, revokeObjectURL } = URL
    URL.createObjectURL = (object) => {
      counts.urls++
      return createObjectURL(object)
    }
    URL.revokeObjectURL = (url) => {
      counts.urls--
      revokeObjectURL(url)
    }
  })
  await openMaker(page, site)
  const [, flac] = files
  if (!flac) throw new Error('there is no music')
  await load(page, flac)
  await key(page, 'Pause').click()
  const session = await context.newCDPSession(page)
  const measure = async () => {
    // Object URLs of downloads are let go some time after.
    await page.waitForTimeout(12_000)
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const { workers, contexts, urls } = await page.evaluate(
      () => Reflect.get(globalThis, 'counts') as { workers: number; contexts: number; urls: number },
    )
    return { heapMb: usedSize / 1e6, workers, contexts, urls }
  }
  for (let count = 0; count < 5; count++) await downloaded(page)
  const before = await measure()
  for (let count = 5; count < 100; count++) await downloaded(page)
  const after = await measure()
  process.stdout.write(`after 5 exports ${JSON.stringify(before)}, after 100 ${JSON.stringify(after)}\n`)
  expect(after).toMatchObject({ workers: before.workers, contexts: before.contexts, urls: before.urls })
  expect(after.heapMb).toBeLessThan(before.heapMb + 2)
})

/** Runs in the page: all that goes to the loudspeakers is kept, left only. */
function recordWhatIsHeard(recorderSource: string) {
  const kept: Float32Array[] = []
  const connect = AudioNode.prototype.connect as (this: AudioNode, ...given: unknown[]) => unknown
  const recorders = new WeakMap<BaseAudioContext, Promise<AudioWorkletNode>>()
  async function openRecorder(context: AudioContext) {
    await context.audioWorklet.addModule(`data:text/javascript,${encodeURIComponent(recorderSource)}`)
    const recorder = new AudioWorkletNode(context, 'recorder')
    recorder.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
      kept.push(data)
      Reflect.set(globalThis, 'heardFrames', Number(Reflect.get(globalThis, 'heardFrames')) + data.length)
    }
    connect.call(recorder, context.destination)
    return recorder
  }
  AudioNode.prototype.connect = function (this: AudioNode, ...given: unknown[]) {
    const [target] = given
    if (target === this.context.destination && this.context instanceof AudioContext) {
      const recorder = recorders.get(this.context) ?? openRecorder(this.context)
      recorders.set(this.context, recorder)
      void recorder.then((node) => connect.call(this, node))
    }
    return connect.apply(this, given)
  } as typeof AudioNode.prototype.connect
  Reflect.set(globalThis, 'heardFrames', 0)
  Reflect.set(globalThis, 'heardAsText', (start: number) => {
    const all = new Float32Array(kept.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of kept) {
      all.set(part, at)
      at += part.length
    }
    const bytes = new Uint8Array(all.slice(start).buffer)
    let text = ''
    for (let index = 0; index < bytes.length; index += 0x8000) text += String.fromCharCode(...bytes.subarray(index, index + 0x8000))
    return btoa(text)
  })
}
