import audioBufferToWav from 'audiobuffer-to-wav'
import { Offline, Player, ToneAudioBuffer } from 'tone'
import { createMakerSong, SONG_SAMPLE_RATE } from '../maker-song.ts'

/** Renders the song in a browser by other engines than the product's own. The methods resolve with the duration in milliseconds. */
export interface MakerPage {
  /** Renders by the browser's `OfflineAudioContext`. */
  offlineContext(rate: number): Promise<number>
  /** Renders by `Offline` of Tone.js. */
  toneOffline(rate: number): Promise<number>
}

let cachedSong: AudioBuffer | undefined
function createSongBuffer(): AudioBuffer {
  if (cachedSong !== undefined) return cachedSong
  const songChannels = createMakerSong()
  cachedSong = new AudioBuffer({ numberOfChannels: 2, length: songChannels[0].length, sampleRate: SONG_SAMPLE_RATE })
  for (const [index, channel] of songChannels.entries()) cachedSong.copyToChannel(channel, index)
  return cachedSong
}

async function timeRun(run: (buffer: AudioBuffer) => Promise<unknown>): Promise<number> {
  const buffer = createSongBuffer()
  const startMs = performance.now()
  await run(buffer)
  return performance.now() - startMs
}

const page: MakerPage = {
  toneOffline: (playbackRate) =>
    timeRun(async (buffer) => {
      const offlineBuffer = await Offline(
        () => {
          new Player({ url: new ToneAudioBuffer(buffer), playbackRate }).toDestination().start(0)
        },
        buffer.duration / playbackRate,
        2,
        SONG_SAMPLE_RATE,
      )
      const renderedBuffer = offlineBuffer.get()
      return renderedBuffer && new Blob([audioBufferToWav(renderedBuffer)])
    }),
  offlineContext: (playbackRate) =>
    timeRun(async (buffer) => {
      const context = new OfflineAudioContext(2, Math.round(buffer.length / playbackRate), SONG_SAMPLE_RATE)
      const node = new AudioBufferSourceNode(context, { buffer, playbackRate })
      node.connect(context.destination)
      node.start()
      return new Blob([audioBufferToWav(await context.startRendering())])
    }),
}

Object.assign(globalThis, { makerPage: page })
