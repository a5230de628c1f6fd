import type { DecodeReply, DecodeRequest } from './decode-messages.ts'
import { openMedia } from './media-source.ts'
import { mixDown } from './mix-down.ts'
import { createPeakMeter, type PeakMeter } from './peaks.ts'
import { createFileSink, createMemorySink, type SampleSink } from './sample-sink.ts'
import type { SampleSource } from './sample-source.ts'
import { openWav } from './wav-source.ts'

/** Reads one file, without blocking the page. To end it early, end the worker. */
let source: SampleSource | undefined
/** What comes in pieces. */
let taken: { readonly frames: number; readonly meter: PeakMeter; sink: SampleSink | undefined } | undefined

const PROGRESS_PAUSE_MS = 100

const reply = (message: DecodeReply, transfer: Transferable[] = []) => self.postMessage(message, { transfer })

self.addEventListener('message', ({ data }: MessageEvent<DecodeRequest>) => {
  if (data.kind === 'open') void open(data.blob)
  else if (data.kind === 'read') void read(data.scratchName)
  else if (data.kind === 'take') taken = { frames: data.frames, meter: createPeakMeter(), sink: undefined }
  else addPiece(data.channels)
})

async function open(blob: Blob) {
  const opened = (await openWav(blob)) ?? (await openMedia(blob))
  if (typeof opened === 'string') return reply({ kind: 'refused', failure: opened })
  source = opened
  reply({ kind: 'opened', facts: opened.facts })
}

async function read(scratchName: string | undefined) {
  if (source?.chunks === undefined) return reply({ kind: 'refused', failure: 'undecodable' })
  const { channels: sourceChannels, expectedFrames } = source.facts
  const channelCount = Math.min(2, sourceChannels)
  try {
    const sink = await (scratchName === undefined
      ? createMemorySink(channelCount, expectedFrames)
      : createFileSink(scratchName, channelCount))
    const meter = createPeakMeter()
    const damaged = !(await pour(source.chunks(), expectedFrames, sink, meter.add))
    replyRead(sink, meter, damaged)
  } catch (error) {
    // Without room on the disk, or in memory (RangeError).
    reply({ kind: 'no-room' })
    if (!(error instanceof DOMException) && !(error instanceof RangeError)) throw error
  }
}

function addPiece(piece: readonly Float32Array<ArrayBuffer>[]) {
  if (taken === undefined) return
  const { frames, meter } = taken
  const added = mixDown(piece)
  taken.sink ??= createMemorySink(added.length, frames)
  const { sink } = taken
  sink.add(added)
  meter.add(added)
  if (sink.frames === frames) replyRead(sink, meter, false)
}

function replyRead(sink: SampleSink, meter: PeakMeter, damaged: boolean) {
  const channels = sink.close()
  reply(
    { kind: 'read', frames: sink.frames, channels, peaks: meter.peaks(), damaged },
    channels.map((samples) => samples.buffer),
  )
}

/** Gives whether the source came to its end. Throws what the sink throws. */
async function pour(
  chunks: AsyncIterable<readonly Float32Array<ArrayBuffer>[]>,
  expectedFrames: number,
  sink: SampleSink,
  measure: (channels: readonly Float32Array[]) => void,
): Promise<boolean> {
  const pieces = chunks[Symbol.asyncIterator]()
  for (let toldAtMs = 0; ; ) {
    const piece = await pieces.next().catch(() => undefined)
    if (piece === undefined) return false
    if (piece.done === true) return true
    const channels = mixDown(piece.value)
    sink.add(channels)
    measure(channels)
    if (performance.now() - toldAtMs < PROGRESS_PAUSE_MS) continue
    toldAtMs = performance.now()
    reply({ kind: 'progress', progress: Math.min(1, sink.frames / expectedFrames) })
  }
}
