import audioBufferToWav from 'audiobuffer-to-wav'
import { Offline, Player, ToneAudioBuffer } from 'tone'
import { decode } from '../../client/engine/decode.ts'
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
  /** From a file's bytes, at `/song.mp3`, to those of a WAV file. */
  ownFromFile(settings: MakerSettings): Promise<PageFigures>
  /** As editors in the browser do it. */
  offlineContext(rate: number): Promise<PageFigures>
  /** The same with Tone. */
  toneOffline(rate: number): Promise<PageFigures>
}

const songs = new Map<number, ReturnType<typeof makerSong>>()
function song(level: number) {
  const made = songs.get(level) ?? makerSong(level)
  songs.set(level, made)
  return made
}

function songBuffer(): AudioBuffer {
  const channels = song(1)
  const buffer = new AudioBuffer({ numberOfChannels: 2, length: channels[0].length, sampleRate: SONG_RATE })
  for (const [index, channel] of channels.entries()) buffer.copyToChannel(channel, index)
  return buffer
}

async function measured(run: () => Promise<unknown>): Promise<PageFigures> {
  let [stallMs, last, on] = [0, performance.now(), true]
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    const now = performance.now()
    stallMs = Math.max(stallMs, now - last)
    last = now
    // Without a rest it would take one of the processors for itself.
    if (on) setTimeout(() => port2.postMessage(undefined), 1)
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
  async ownFromFile(settings) {
    const blob = await (await fetch('/song.mp3')).blob()
    return measured(async () => {
      const decoded = await decode({ name: 'song.mp3', blob })
      if (decoded.kind !== 'decoded') throw new Error(decoded.kind)
      const { sound, details } = decoded
      const about = { ...details, bpm: undefined }
      const order = { sound, about, settings, format: 'wav-int16', sink: undefined, onProgress: () => {} } as const
      const result = await startExport(poolOf(2), order).result
      if (result.kind !== 'exported') throw new Error(result.kind)
      sound.dispose()
    })
  },
  toneOffline(rate) {
    const buffer = songBuffer()
    return measured(async () => {
      const offline = await Offline(
        () => {
          new Player({ url: new ToneAudioBuffer(buffer), playbackRate: rate }).toDestination().start(0)
        },
        buffer.duration / rate,
        2,
        SONG_RATE,
      )
      const rendered = offline.get()
      return rendered && new Blob([audioBufferToWav(rendered)])
    })
  },
  offlineContext(rate) {
    const buffer = songBuffer()
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
