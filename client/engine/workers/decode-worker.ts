import { findCodecChannelMask, mixDown } from '../../../dsp/mix-down.ts'
import { amplify } from './amplify.ts'
import type { Channels, DecodeCalls, ReadResponse } from './calls.ts'
import { openFile } from './open-file.ts'
import { createPeakMeter, type PeakMeter } from './peaks.ts'
import { createFileSink, createMemorySink, type SampleSink } from './sample-sink.ts'
import type { SampleSource, SourceFacts } from './sample-source.ts'
import { type CallContext, type CallReply, serveCalls } from './serve-calls.ts'
import { readSourceTags } from './source-tags.ts'

const PROGRESS_PERIOD_MS = 100

let source: SampleSource | undefined
/** The sound that the page sends with `addSamples`. The sink is created with the first samples, because they determine the number of channels. */
let incomingSound: IncomingSound | undefined

interface IncomingSound {
  readonly gain: number
  readonly meter: PeakMeter
  sink: SampleSink | undefined
}

serveCalls<DecodeCalls>({
  async open({ blob }) {
    const openedFile = await openFile(blob)
    if (typeof openedFile === 'string') return { response: { kind: 'refused', failure: openedFile } }
    source = openedFile
    const tags = await readSourceTags(blob)
    return { response: { kind: 'opened', facts: openedFile.facts, tags, content: openedFile.content ?? blob } }
  },
  async read({ scratchName }, context) {
    if (source === undefined) return { response: { kind: 'refused', failure: 'undecodable' } }
    if (source.chunks === undefined)
      return { response: { kind: 'refused', failure: source.isConvertible ? 'convertible' : 'unsupported-codec' } }
    try {
      return await readSource(source, source.chunks(), scratchName, context)
    } catch (error) {
      // A DOMException means that the disk is full, a RangeError that an array does not fit into the memory.
      if (context.signal.aborted || !(error instanceof DOMException || error instanceof RangeError)) throw error
      return { response: { kind: 'no-room' } }
    }
  },
  startSamples({ gain }) {
    incomingSound = { gain, meter: createPeakMeter(), sink: undefined }
    return { response: undefined }
  },
  addSamples({ channels }) {
    if (incomingSound === undefined) throw new Error('addSamples was called before startSamples')
    const mixedChannels = mixDown(channels, source?.facts.channelMask ?? findCodecChannelMask(channels.length))
    amplify(mixedChannels, incomingSound.gain)
    incomingSound.sink ??= createMemorySink()
    incomingSound.sink.add(mixedChannels)
    incomingSound.meter.add(mixedChannels)
    return { response: undefined }
  },
  finishSamples() {
    if (incomingSound?.sink === undefined) throw new Error('finishSamples was called before addSamples')
    const { sink, meter } = incomingSound
    incomingSound = undefined
    return readReply(sink, meter, false)
  },
})

async function readSource(
  { facts }: SampleSource,
  chunks: AsyncIterable<Channels>,
  scratchName: string | undefined,
  context: CallContext<number>,
): Promise<CallReply<ReadResponse>> {
  const sampleSink = await (scratchName === undefined ? createMemorySink() : createFileSink(scratchName, Math.min(2, facts.channels)))
  try {
    const meter = createPeakMeter()
    const isComplete = await copyChunks(chunks, facts, sampleSink, meter, context)
    return readReply(sampleSink, meter, !isComplete)
  } finally {
    sampleSink.release()
  }
}

function readReply(sink: SampleSink, meter: PeakMeter, isDamaged: boolean): CallReply<ReadResponse> {
  const storedChunks = sink.finish()
  return {
    response: { kind: 'read', frames: sink.frames, chunks: storedChunks, peaks: meter.peaks(), damaged: isDamaged },
    transfer: storedChunks.flatMap((channels) => channels.map(({ buffer }) => buffer)),
  }
}

/**
 * Copies all chunks into the sink and measures them.
 *
 * @returns false if the source ended with an error
 * @throws the errors of the sink, and the reason of an aborted signal
 */
async function copyChunks(
  chunks: AsyncIterable<Channels>,
  { channelMask, expectedFrames }: SourceFacts,
  sink: SampleSink,
  meter: PeakMeter,
  { signal, reportProgress }: CallContext<number>,
): Promise<boolean> {
  const chunkIterator = chunks[Symbol.asyncIterator]()
  for (let lastReportAtMs = Number.NEGATIVE_INFINITY; ; ) {
    const decodedChunk = await chunkIterator.next().catch(() => undefined)
    signal.throwIfAborted()
    if (decodedChunk === undefined) return false
    if (decodedChunk.done === true) return true
    const mixedChannels = mixDown(decodedChunk.value, channelMask)
    sink.add(mixedChannels)
    meter.add(mixedChannels)
    if (performance.now() - lastReportAtMs < PROGRESS_PERIOD_MS) continue
    lastReportAtMs = performance.now()
    reportProgress(Math.min(1, sink.frames / expectedFrames))
  }
}
