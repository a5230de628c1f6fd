import type { Mp3Part, Mp3Parts } from './mp3-parts.ts'

type Channels = readonly Float32Array<ArrayBuffer>[]

/** As many as there are cores: of more at a time, none is there sooner, and the page waits for a core itself. */
const IN_FLIGHT = Math.max(1, Math.min(4, navigator.hardwareConcurrency || 1))

/**
 * The samples of an MP3 file, part after part, several of which the browser decodes at a time: the first ones from now on, the others as they are
 * asked for. Throws where a part is not what was foreseen: what two of them have in common must be the same, bit for bit.
 */
export function decodeParts(file: Uint8Array<ArrayBuffer>, whole: Mp3Parts): AsyncGenerator<Channels> {
  const context = new OfflineAudioContext({ length: 1, sampleRate: whole.sampleRate })
  const underWay: Promise<AudioBuffer | undefined>[] = []
  const begin = ({ startByte, endByte }: Mp3Part) =>
    // A failure counts when it is that part's turn.
    underWay.push(context.decodeAudioData(file.slice(startByte, endByte).buffer).catch(() => undefined))
  for (const part of whole.parts.slice(0, IN_FLIGHT)) begin(part)
  return joined(whole, async (index) => {
    const buffer = await underWay[index]
    const next = whole.parts[index + IN_FLIGHT]
    if (next !== undefined) begin(next)
    return buffer
  })
}

async function* joined(whole: Mp3Parts, decodedPart: (index: number) => Promise<AudioBuffer | undefined>): AsyncGenerator<Channels> {
  let before: Channels | undefined
  for (const [index, part] of whole.parts.entries()) {
    const buffer = await decodedPart(index)
    if (buffer?.length !== part.frames || buffer.numberOfChannels !== whole.channels) throw new Error('a part has another length')
    const { skipFrames, keepFrames } = part
    const decoded = Array.from({ length: whole.channels }, (_, channel) => buffer.getChannelData(channel))
    if (before !== undefined && !areEqual(before, cut(decoded, skipFrames - whole.packetFrames, whole.packetFrames)))
      throw new Error('a part does not go on where the last one ended')
    const channels = cut(decoded, skipFrames, keepFrames)
    before = cut(channels, keepFrames - whole.packetFrames, whole.packetFrames).map((samples) => samples.slice())
    yield channels
  }
}

const cut = (channels: Channels, start: number, frames: number): Channels =>
  channels.map((samples) => samples.subarray(start, start + frames))

const areEqual = (some: Channels, others: Channels): boolean =>
  some.every((samples, channel) => samples.every((sample, frame) => sample === others[channel]?.[frame]))
