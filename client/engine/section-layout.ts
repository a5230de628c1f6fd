/** A part of a file that is decoded as one job. */
export interface FileSection {
  readonly startByte: number
  readonly endByte: number
  /**
   * The number of samples per channel that decoding the section yields. Undefined if the number is known only after decoding; the section then
   * consists of the last decoded samples.
   */
  readonly frames: number | undefined
  /**
   * The maximum number of samples of each channel at the section's start that only warm the decoder up. The previous section contains these
   * samples too.
   */
  readonly warmUpFrames: number
  /** The number of samples per channel after those that only warm the decoder up. Only these samples are used. */
  readonly ownFrames: number
}

/** How a file is split into sections that decode to exactly the samples of the whole file. */
export interface SectionLayout {
  readonly sampleRate: number
  readonly channels: number
  /** How many samples each channel of the whole file has, without the encoder's delay and padding. */
  readonly frames: number
  /** How many bytes from the start of the file are copied before each section except the first, to set up the decoder. */
  readonly headerBytes: number
  /** How many samples of each channel are already correct at the end of the samples that only warm the decoder up. */
  readonly repeatedFrames: number
  /** The sections of the file in order, two or more. */
  readonly sections: readonly FileSection[]
}
