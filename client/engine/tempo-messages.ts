export interface TempoRequest {
  readonly samples: Float32Array<ArrayBuffer>
  readonly sampleRate: number
}

export interface TempoReply {
  readonly bpm: number | undefined
}
