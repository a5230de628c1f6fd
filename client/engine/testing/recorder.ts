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
  const recorderNode = new AudioWorkletNode(context, 'recorder', { numberOfOutputs: 1 })
  const recordedBlocks: { frame: number; left: Float32Array; right: Float32Array }[] = []
  recorderNode.port.onmessage = ({ data }) => recordedBlocks.push(data)
  node.connect(recorderNode)
  recorderNode.connect(new GainNode(context, { gain: 0 })).connect(context.destination)
  return () => {
    // Blocks of samples are stored in the order of their arrival, not by time, because on a busy machine two blocks may have the same time.
    const recordedChannels = [new Float32Array(128 * recordedBlocks.length), new Float32Array(128 * recordedBlocks.length)] as const
    for (const [index, { left, right }] of recordedBlocks.entries()) {
      recordedChannels[0].set(left, 128 * index)
      recordedChannels[1].set(right, 128 * index)
    }
    return { startFrame: recordedBlocks[0]?.frame ?? 0, channels: recordedChannels }
  }
}
