/** What the page and the MP3 worker say to each other. Each request is answered once, in order. */
export type Mp3Request =
  | {
      readonly kind: 'open'
      readonly module: WebAssembly.Module
      readonly sampleRate: number
      readonly channels: 1 | 2
      readonly kbps: 320
    }
  /** Samples channel by channel, full scale 1. */
  | { readonly kind: 'encode'; readonly samples: readonly Float32Array<ArrayBuffer>[] }
  | { readonly kind: 'finish' }

export interface Mp3Answer {
  readonly kind: 'encoded'
  readonly bytes: Uint8Array<ArrayBuffer>
}
