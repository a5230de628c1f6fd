// By file: the package's main module opens a context of its own and writes to the console.
import { Waveform } from 'tone/build/esm/component/analysis/Waveform.js'
import { Split } from 'tone/build/esm/component/channel/Split.js'
import { Context } from 'tone/build/esm/core/context/Context.js'
import { Gain } from 'tone/build/esm/core/context/Gain.js'
import { setContext } from 'tone/build/esm/core/context/GlobalContext.js'

/** From the streams to the loudspeaker. */
export interface PreviewGraph {
  readonly input: AudioNode
  /** What is heard, after the volume. */
  readonly output: AudioNode
  /** 0 to 1 */
  setVolume(volume: number): void
  /** Of the last moment, left and right; -Infinity where it is silent. */
  peakDb(): [number, number]
  dispose(): void
}

const VOLUME_SECONDS = 0.03
const METER_FRAMES = 1024

/** `context` is closed with it. */
export function createPreviewGraph(context: AudioContext, volume: number): PreviewGraph {
  // Everything is scheduled by hand: no clock is needed, and none may delay.
  const tone = new Context({ context, clockSource: 'offline', lookAhead: 0 })
  // Else the first node opens a second one, with a worker of its own.
  setContext(tone)
  const master = new Gain({ context: tone, gain: volume })
  // One channel is heard on both sides, and metered so.
  master.channelCount = 2
  master.channelCountMode = 'explicit'
  const split = new Split({ context: tone, channels: 2 })
  const meters = [0, 1].map(() => new Waveform({ context: tone, size: METER_FRAMES }))
  master.connect(split)
  for (const [channel, meter] of meters.entries()) split.connect(meter, channel)
  master.connect(context.destination)
  const output = nativeNode(master.output)
  const peakOf = (channel: number) =>
    20 * Math.log10(meters[channel]?.getValue().reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) ?? 0)
  return {
    input: nativeNode(master.input),
    output,
    setVolume: (next) => master.gain.rampTo(next, VOLUME_SECONDS),
    peakDb: () => [peakOf(0), peakOf(1)],
    dispose() {
      for (const node of [master, split, ...meters]) node.dispose()
      tone.dispose()
    },
  }
}

function nativeNode(node: unknown): AudioNode {
  if (!(node instanceof AudioNode)) throw new TypeError('not a node of the browser')
  return node
}
