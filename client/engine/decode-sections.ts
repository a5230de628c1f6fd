import type { Mp3Section, Mp3Sections } from './mp3-sections.ts'
import type { Channels } from './workers/calls.ts'

/** Sections that are decoded at once: one for each core. More would not be faster, and would leave no core to the page. */
const CONCURRENCY = Math.max(1, Math.min(4, navigator.hardwareConcurrency || 1))

/**
 * Decodes the sections of an MP3 file with the browser's decoder, and yields their samples in order. The first sections are started at once, the
 * others as samples are consumed. Throws if a section is not as its headers announce, or if two neighbours differ in the packet that both contain.
 */
export function decodeSections(file: Uint8Array<ArrayBuffer>, layout: Mp3Sections): AsyncGenerator<Channels> {
  const context = new OfflineAudioContext({ length: 1, sampleRate: layout.sampleRate })
  const startedBuffers: Promise<AudioBuffer | undefined>[] = []
  const startDecoding = ({ startByte, endByte }: Mp3Section) =>
    // The rejection is handled here, because a failure is reported later, when the samples of the section are due.
    startedBuffers.push(context.decodeAudioData(file.slice(startByte, endByte).buffer).catch(() => undefined))
  for (const section of layout.sections.slice(0, CONCURRENCY)) startDecoding(section)
  return joinSections(layout, async (index) => {
    const buffer = await startedBuffers[index]
    const nextSection = layout.sections[index + CONCURRENCY]
    if (nextSection !== undefined) startDecoding(nextSection)
    return buffer
  })
}

async function* joinSections(
  layout: Mp3Sections,
  decodedSection: (index: number) => Promise<AudioBuffer | undefined>,
): AsyncGenerator<Channels> {
  const { channels: channelCount, packetFrames } = layout
  let lastPacket: Channels | undefined
  for (const [index, section] of layout.sections.entries()) {
    const buffer = await decodedSection(index)
    if (buffer?.length !== section.frames || buffer.numberOfChannels !== channelCount)
      throw new Error(`MP3 section ${index} decodes to another length or number of channels than its headers announce`)
    const { warmUpFrames, ownFrames } = section
    const decodedChannels = Array.from({ length: channelCount }, (_, channel) => buffer.getChannelData(channel))
    if (lastPacket !== undefined && !areEqual(lastPacket, cutFrames(decodedChannels, warmUpFrames - packetFrames, packetFrames)))
      throw new Error(`MP3 section ${index} does not continue section ${index - 1}`)
    const channels = cutFrames(decodedChannels, warmUpFrames, ownFrames)
    lastPacket = cutFrames(channels, ownFrames - packetFrames, packetFrames).map((samples) => samples.slice())
    yield channels
  }
}

const cutFrames = (channels: Channels, startFrame: number, frames: number): Channels =>
  channels.map((samples) => samples.subarray(startFrame, startFrame + frames))

const areEqual = (channels: Channels, otherChannels: Channels): boolean =>
  channels.every((samples, channel) => samples.every((sample, frame) => sample === otherChannels[channel]?.[frame]))
