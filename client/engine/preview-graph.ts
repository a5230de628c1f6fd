// The classes of Tone.js are imported by file, because the package's main module opens an audio context and writes to the console.
import { Waveform } from 'tone/build/esm/component/analysis/Waveform.js'
import { Split } from 'tone/build/esm/component/channel/Split.js'
import { Context } from 'tone/build/esm/core/context/Context.js'
import { Gain } from 'tone/build/esm/core/context/Gain.js'
import { setContext } from 'tone/build/esm/core/context/GlobalContext.js'

const VOLUME_RAMP_SECONDS = 0.03
const METER_FRAMES = 1024

/** The audio nodes from the preview's streams to the device: volume and level meters. Disposing them closes `context`. */
export function createPreviewGraph(context: AudioContext, initialVolume: number) {
  // Sets Tone's look-ahead to 0: the preview schedules its buffers itself, so that Tone's clock must not add latency.
  const toneContext = new Context({ context, clockSource: 'offline', lookAhead: 0 })
  // Sets Tone's global context, because the first node would otherwise open a second one with its own worker.
  setContext(toneContext)
  const masterGain = new Gain({ context: toneContext, gain: initialVolume })
  // Mixes mono up to stereo, so that it is played and metered on both sides.
  masterGain.channelCount = 2
  masterGain.channelCountMode = 'explicit'
  const splitter = new Split({ context: toneContext, channels: 2 })
  const meters = [0, 1].map(() => new Waveform({ context: toneContext, size: METER_FRAMES }))
  masterGain.connect(splitter)
  for (const [channel, meter] of meters.entries()) splitter.connect(meter, channel)
  masterGain.connect(context.destination)
  const outputNode = requireNativeNode(masterGain.output)
  const findPeak = (channel: number) =>
    20 * Math.log10(meters[channel]?.getValue().reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) ?? 0)
  return {
    input: requireNativeNode(masterGain.input),
    /** The output node, after the volume. */
    output: outputNode,
    /** @param volume 0 to 1 */
    setVolume: (newVolume: number) => masterGain.gain.rampTo(newVolume, VOLUME_RAMP_SECONDS),
    /** Returns the current peak levels in dBFS, left and right; -Infinity for silence. */
    peakDb: (): [number, number] => [findPeak(0), findPeak(1)],
    dispose() {
      for (const node of [masterGain, splitter, ...meters]) node.dispose()
      toneContext.dispose()
    },
  }
}

export type PreviewGraph = ReturnType<typeof createPreviewGraph>

function requireNativeNode(nodeOrWrapper: unknown): AudioNode {
  if (!(nodeOrWrapper instanceof AudioNode)) throw new TypeError('the Tone node has no AudioNode')
  return nodeOrWrapper
}
