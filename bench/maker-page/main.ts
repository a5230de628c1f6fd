import audioBufferToWav from 'audiobuffer-to-wav'
import { Offline, Player, ToneAudioBuffer } from 'tone'
import { decodeSoundFile } from '../../client/engine/decode.ts'
import type { MakerSettings } from '../../client/engine/engine.ts'
import { startExport } from '../../client/engine/export.ts'
import { createRenderPool } from '../../client/engine/render-pool.ts'
import { createMemorySound } from '../../client/engine/sound.ts'
import { makerSong, SONG_SAMPLE_RATE } from '../maker-song.ts'

/** The duration of an export, and the longest time for which the page's event loop was blocked meanwhile. */
export interface PageFigures {
  readonly wallMs: number
  readonly stallMs: number
}

export interface MakerPage {
  /** Exports by the product's engine. `level` scales the amplitude of the song. */
  exportSong(settings: MakerSettings, level: number, workers: number): Promise<PageFigures>
  /** Decodes `/song.mp3` and exports it as WAV by the product's engine. */
  ownFromFile(settings: MakerSettings): Promise<PageFigures>
  /** Renders the song by the browser's `OfflineAudioContext`, for comparison with the product's engine. */
  offlineContext(rate: number): Promise<PageFigures>
  /** Renders the song by `Offline` of Tone.js, for comparison with the product's engine. */
  toneOffline(rate: number): Promise<PageFigures>
}

const songs = new Map<number, ReturnType<typeof makerSong>>()
function createSong(level: number) {
  const makerSongBlob = songs.get(level) ?? makerSong(level)
  songs.set(level, makerSongBlob)
  return makerSongBlob
}

function songBuffer(): AudioBuffer {
  const channels = createSong(1)
  const buffer = new AudioBuffer({ numberOfChannels: 2, length: channels[0].length, sampleRate: SONG_SAMPLE_RATE })
  for (const [index, channel] of channels.entries()) buffer.copyToChannel(channel, index)
  return buffer
}

async function measureRun(run: () => Promise<unknown>): Promise<PageFigures> {
  let [stallMs, lastTickMs, on] = [0, performance.now(), true]
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    const nowMs = performance.now()
    stallMs = Math.max(stallMs, nowMs - lastTickMs)
    lastTickMs = nowMs
    // The delay between two measurements keeps the event loop probe from occupying a processor.
    if (on) setTimeout(() => port2.postMessage(undefined), 1)
  }
  port2.postMessage(undefined)
  const startMs = performance.now()
  await run()
  const wallMs = performance.now() - startMs
  on = false
  stallMs = Math.max(stallMs, performance.now() - lastTickMs)
  return { wallMs, stallMs }
}

let cachedPool: { readonly workers: number; readonly pool: ReturnType<typeof createRenderPool> } | undefined
function getRenderPool(workers: number) {
  if (cachedPool?.workers === workers) return cachedPool.pool
  cachedPool?.pool.dispose()
  cachedPool = { workers, pool: createRenderPool(workers) }
  return cachedPool.pool
}

const page: MakerPage = {
  exportSong(settings, level, workers) {
    const sound = createMemorySound(createSong(level), SONG_SAMPLE_RATE)
    const fileDetails = { name: 'song', title: undefined, artist: undefined, bpm: undefined }
    return measureRun(async () => {
      const result = await startExport(getRenderPool(workers), {
        sound,
        details: fileDetails,
        settings,
        format: 'wav-int16',
        sink: undefined,
        onProgress: () => {},
      }).result
      if (result.kind !== 'exported') throw new Error(result.kind)
    })
  },
  async ownFromFile(settings) {
    const blob = await (await fetch('/song.mp3')).blob()
    return measureRun(async () => {
      const decodedSong = await decodeSoundFile({ name: 'song.mp3', blob })
      if (decodedSong.kind !== 'decoded') throw new Error(decodedSong.kind)
      const { sound, details } = decodedSong

      const request = {
        sound,
        details: { ...details, bpm: undefined },
        settings,
        format: 'wav-int16',
        sink: undefined,
        onProgress: () => {},
      } as const
      const result = await startExport(getRenderPool(2), request).result
      if (result.kind !== 'exported') throw new Error(result.kind)
      sound.dispose()
    })
  },
  toneOffline(rate) {
    const buffer = songBuffer()
    return measureRun(async () => {
      const offlineBuffer = await Offline(
        () => {
          new Player({ url: new ToneAudioBuffer(buffer), playbackRate: rate }).toDestination().start(0)
        },
        buffer.duration / rate,
        2,
        SONG_SAMPLE_RATE,
      )
      const renderedBuffer = offlineBuffer.get()
      return renderedBuffer && new Blob([audioBufferToWav(renderedBuffer)])
    })
  },
  offlineContext(rate) {
    const buffer = songBuffer()
    return measureRun(async () => {
      const context = new OfflineAudioContext(2, Math.round(buffer.length / rate), SONG_SAMPLE_RATE)
      const node = new AudioBufferSourceNode(context, { buffer, playbackRate: rate })
      node.connect(context.destination)
      node.start()
      return new Blob([audioBufferToWav(await context.startRendering())])
    })
  },
}

Object.assign(globalThis, { makerPage: page })
