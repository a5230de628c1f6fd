import { type AudioCodec, AudioSample, CustomAudioDecoder, type EncodedPacket, registerDecoder } from 'mediabunny'
import { attenuatePacket } from '../mp3-attenuation.ts'

/** The number of packets that wait in the browser's decoder at most. */
const MAX_QUEUE = 16

let registration: Promise<void> | undefined

/** Registers the decoder of MP3 packets with the media library, if the browser can decode them. */
export function registerMp3Decoder(): Promise<void> {
  registration ??= canDecodeMp3().then((isSupported) => {
    if (isSupported) registerDecoder(Mp3Decoder)
  })
  return registration
}

async function canDecodeMp3(): Promise<boolean> {
  if (typeof AudioDecoder === 'undefined') return false
  const config = { codec: 'mp3', sampleRate: 44_100, numberOfChannels: 2 }
  return (await AudioDecoder.isConfigSupported(config)).supported === true
}

/**
 * Decodes MP3 packets by WebCodecs at a lower level, because browsers limit the samples to full scale. The reader of the samples multiplies them
 * by `MP3_RESTORING_GAIN`.
 */
class Mp3Decoder extends CustomAudioDecoder {
  readonly #decoder = new AudioDecoder({
    output: (data) => this.onSample(new AudioSample(data)),
    error: (error) => this.onError(error),
  })

  static override supports(codec: AudioCodec): boolean {
    return codec === 'mp3'
  }

  init() {
    this.#decoder.configure(this.config)
  }

  async decode(packet: EncodedPacket) {
    const data = packet.data.slice()
    if (!attenuatePacket(data)) throw new Error('the header of an MP3 packet is damaged')
    this.#decoder.decode(packet.clone({ data }).toEncodedAudioChunk())
    while (this.#decoder.state === 'configured' && this.#decoder.decodeQueueSize > MAX_QUEUE)
      await new Promise((resolve) => {
        this.#decoder.ondequeue = resolve
      })
  }

  flush() {
    return this.#decoder.flush()
  }

  close() {
    if (this.#decoder.state !== 'closed') this.#decoder.close()
  }
}
