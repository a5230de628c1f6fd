/** The recorded output of an audio node. */
export interface Recording {
  /** The frame, on the clock of the audio context, at which the recording starts. */
  readonly startFrame: number
  readonly channels: readonly [Float32Array, Float32Array]
}

const RECORDER_PROGRAM = `
registerProcessor('recorder', class extends AudioWorkletProcessor {
  process([[left, right = left] = []]) {
    const silence = new Float32Array(128)
    this.port.postMessage({ frame: currentFrame, left: left ?? silence, right: right ?? silence })
    return true
  }
})`

/** Starts recording the output of `node`. The returned function returns everything recorded so far. */
export async function recordOutput(context: AudioContext, node: AudioNode): Promise<() => Recording> {
  const url = URL.createObjectURL(new Blob([RECORDER_PROGRAM], { type: 'text/javascript' }))
  await context.audioWorklet.addModule(url)
  URL.revokeObjectURL(url)
  const recorder = new AudioWorkletNode(context, 'recorder', { numberOfOutputs: 1 })
  const blocks: { frame: number; left: Float32Array; right: Float32Array }[] = []
  recorder.port.onmessage = ({ data }) => blocks.push(data)
  node.connect(recorder)
  recorder.connect(new GainNode(context, { gain: 0 })).connect(context.destination)
  return () => {
    // Blocks of samples are stored in the order of their arrival, not by time, because on a busy machine two blocks may have the same time.
    const channels = [new Float32Array(128 * blocks.length), new Float32Array(128 * blocks.length)] as const
    for (const [index, { left, right }] of blocks.entries()) {
      channels[0].set(left, 128 * index)
      channels[1].set(right, 128 * index)
    }
    return { startFrame: blocks[0]?.frame ?? 0, channels }
  }
}
