import type { FileSection, SectionLayout } from './section-layout.ts'
import type { Channels } from './workers/calls.ts'

/**
 * The number of sections that are decoded in parallel: one for each core, and one more, so that a free core need not wait until the page
 * starts the next section.
 */
const SECTION_CONCURRENCY = 1 + Math.max(1, Math.min(4, navigator.hardwareConcurrency || 1))

/**
 * Decodes the sections of a file with the browser's decoder, and yields their samples in order. The first sections are started immediately, and later
 * ones when samples are consumed. Throws if a section does not have the length that its headers announce, or if the samples that two neighbouring
 * sections share differ.
 */
export function decodeSections(fileBytes: Uint8Array<ArrayBuffer>, layout: SectionLayout): AsyncGenerator<Channels> {
  const context = new OfflineAudioContext({ length: 1, sampleRate: layout.sampleRate })
  const startedBuffers: Promise<AudioBuffer | undefined>[] = []
  const startDecoding = (section: FileSection) =>
    // The rejection is handled here, because a failure is reported only when the samples of the section are yielded.
    startedBuffers.push(context.decodeAudioData(joinSectionBytes(fileBytes, layout, section)).catch(() => undefined))
  for (const section of layout.sections.slice(0, SECTION_CONCURRENCY)) startDecoding(section)
  return joinSections(layout, async (index) => {
    const sectionBuffer = await startedBuffers[index]
    const nextSection = layout.sections[index + SECTION_CONCURRENCY]
    if (nextSection !== undefined) startDecoding(nextSection)
    return sectionBuffer
  })
}

async function* joinSections(
  layout: SectionLayout,
  readSection: (index: number) => Promise<AudioBuffer | undefined>,
): AsyncGenerator<Channels> {
  const { channels: channelCount, repeatedFrames } = layout
  let previousSectionEnd: Channels | undefined
  for (const [index, fileSection] of layout.sections.entries()) {
    const sectionBuffer = await readSection(index)
    const warmUpFrames = sectionBuffer && countDecodedWarmUpFrames(fileSection, sectionBuffer.length)
    if (warmUpFrames === undefined || sectionBuffer?.numberOfChannels !== channelCount)
      throw new Error(`section ${index} decodes to another length or number of channels than its headers announce`)
    const decodedChannels = Array.from({ length: channelCount }, (_, channel) => sectionBuffer.getChannelData(channel))
    if (
      previousSectionEnd !== undefined &&
      (warmUpFrames < repeatedFrames ||
        !areChannelsEqual(previousSectionEnd, cutFrames(decodedChannels, warmUpFrames - repeatedFrames, repeatedFrames)))
    )
      throw new Error(`section ${index} does not continue section ${index - 1}`)
    const channels = cutFrames(decodedChannels, warmUpFrames, fileSection.ownFrames)
    previousSectionEnd = cutFrames(channels, fileSection.ownFrames - repeatedFrames, repeatedFrames).map((samples) => samples.slice())
    yield channels
  }
}

/** Returns the bytes of a section as a file that the decoder accepts. */
function joinSectionBytes(
  fileBytes: Uint8Array<ArrayBuffer>,
  { headerBytes }: SectionLayout,
  { startByte, endByte }: FileSection,
): ArrayBuffer {
  const sectionBytes = new Uint8Array(headerBytes + endByte - startByte)
  sectionBytes.set(fileBytes.subarray(0, headerBytes))
  sectionBytes.set(fileBytes.subarray(startByte, endByte), headerBytes)
  return sectionBytes.buffer
}

/**
 * Returns how many frames at the start of the decoded section only warmed the decoder up; `undefined` if the section did not decode to the
 * expected length.
 */
function countDecodedWarmUpFrames({ frames, warmUpFrames, ownFrames }: FileSection, decodedFrames: number): number | undefined {
  if (frames !== undefined) return decodedFrames === frames ? warmUpFrames : undefined
  const decodedWarmUp = decodedFrames - ownFrames
  return decodedWarmUp < 0 || decodedWarmUp > warmUpFrames ? undefined : decodedWarmUp
}

const cutFrames = (channels: Channels, startFrame: number, frames: number): Channels =>
  channels.map((samples) => samples.subarray(startFrame, startFrame + frames))

const areChannelsEqual = (channels: Channels, otherChannels: Channels): boolean =>
  channels.every((samples, channel) => samples.every((sample, frame) => sample === otherChannels[channel]?.[frame]))
