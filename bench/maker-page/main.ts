import audioBufferToWav from 'audiobuffer-to-wav'
import type { MakerSettings } from '../../client/engine/engine.ts'
import { startExport } from '../../client/engine/export.ts'
import { createRenderPool } from '../../client/engine/render-pool.ts'
import { createMemorySound } from '../../client/engine/sound.ts'
import { makerSong, SONG_RATE } from '../maker-song.ts'

/** What an export took, and for how long at most the page answered nothing meanwhile. */
export interface PageFigures {
  readonly wallMs: number
  readonly stallMs: number
}

export interface MakerPage {
  /** The product's own; `level` multiplies the song. */
  own(settings: MakerSettings, level: number, workers: number): Promise<PageFigures>
  /** As editors in the browser do it. */
  offlineContext(rate: number): Promise<PageFigures>
}

const songs = new Map<number, ReturnType<typeof makerSong>>()
function song(level: number) {
  const made = songs.get(level) ?? makerSong(level)
  songs.set(level, made)
  return made
}

async function measured(run: () => Promise<unknown>): Promise<PageFigures> {
  let [stallMs, last, on] = [0, performance.now(), true]
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    const now = performance.now()
    stallMs = Math.max(stallMs, now - last)
    last = now
    if (on) port2.postMessage(undefined)
  }
  port2.postMessage(undefined)
  const start = performance.now()
  await run()
  const wallMs = performance.now() - start
  on = false
  stallMs = Math.max(stallMs, performance.now() - last)
  return { wallMs, stallMs }
}

let pool: { readonly workers: number; readonly pool: ReturnType<typeof createRenderPool> } | undefined
function poolOf(workers: number) {
  if (pool?.workers === workers) return pool.pool
  pool?.pool.dispose()
  pool = { workers, pool: createRenderPool(workers) }
  return pool.pool
}

const page: MakerPage = {
  own(settings, level, workers) {
    const sound = createMemorySound(song(level), SONG_RATE)
    const about = { name: 'song', title: undefined, artist: undefined, bpm: undefined }
    return measured(async () => {
      const result = await startExport(poolOf(workers), {
        sound,
        about,
        settings,
        format: 'wav-int16',
        sink: undefined,
        onProgress: () => {},
      }).result
      if (result.kind !== 'exported') throw new Error(result.kind)
    })
  },
  offlineContext(rate) {
    const channels = song(1)
    const buffer = new AudioBuffer({ numberOfChannels: 2, length: channels[0].length, sampleRate: SONG_RATE })
    for (const [index, channel] of channels.entries()) buffer.copyToChannel(channel, index)
    return measured(async () => {
      const context = new OfflineAudioContext(2, Math.round(buffer.length / rate), SONG_RATE)
      const node = new AudioBufferSourceNode(context, { buffer, playbackRate: rate })
      node.connect(context.destination)
      node.start()
      return new Blob([audioBufferToWav(await context.startRendering())])
    })
  },
}

Object.assign(globalThis, { makerPage: page })
