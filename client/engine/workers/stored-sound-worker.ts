import { openScratchFile } from '../scratch.ts'
import type { StoredSoundCalls } from './calls.ts'
import { serveCalls } from './serve-calls.ts'

let storedSound: { readonly file: FileSystemSyncAccessHandle; readonly channels: 1 | 2 } | undefined
let interleavedSamples = new Float32Array()

serveCalls<StoredSoundCalls>({
  async open({ scratchName, channels }) {
    storedSound = { file: await (await openScratchFile(scratchName)).createSyncAccessHandle(), channels }
    return { response: undefined }
  },
  read({ startFrame, channels }) {
    if (storedSound === undefined) throw new Error('read was called before open')
    const floatCount = (channels[0]?.length ?? 0) * storedSound.channels
    if (interleavedSamples.length < floatCount) interleavedSamples = new Float32Array(floatCount)
    const requestedSamples = interleavedSamples.subarray(0, floatCount)
    const frameBytes = storedSound.channels * Float32Array.BYTES_PER_ELEMENT
    if (storedSound.file.read(requestedSamples, { at: startFrame * frameBytes }) !== requestedSamples.byteLength)
      throw new DOMException('the file of the decoded sound is incomplete', 'NotReadableError')
    for (const [channel, samples] of channels.entries()) {
      for (let frame = 0, at = channel; frame < samples.length; frame++, at += storedSound.channels)
        samples[frame] = requestedSamples[at] as number
    }
    return { response: { channels }, transfer: channels.map(({ buffer }) => buffer) }
  },
})
