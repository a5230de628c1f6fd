import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { readWav } from '../dsp/read-wav.ts'
import { plannedFrames, planRender, type RenderSettings } from '../dsp/render-plan.ts'
import { kernelModule } from '../dsp/testing/kernels.ts'
import type { Work } from './maker-worker.ts'
import { startWorkers } from './maker-workers.ts'

const FRAMES = 500_000
const noise = (seed: number, level: number) => Float32Array.from({ length: FRAMES }, (_, index) => level * Math.sin(seed + index * index))

async function exportWith(workerCount: number, settings: Omit<RenderSettings, 'sampleRate'>, level: number) {
  const workers = await startWorkers(workerCount, kernelModule())
  try {
    const channels: Work['channels'] = [noise(1, level), noise(2, level)]
    const { parts, gain } = await workers.exportWav(channels, { sampleRate: 44_100, ...settings })
    return { bytes: Buffer.concat(parts), gain }
  } finally {
    await workers.stop()
  }
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

it.each<Omit<RenderSettings, 'sampleRate'>>([{ rate: 1.25 }, { rate: 0.8, bassDb: 4, reverb: { seconds: 3, amount: 0.3 } }])(
  '1, 2 and 4 workers write the same bytes (%o)',
  async (settings) => {
    const one = await exportWith(1, settings, 0.2)
    const hashes = [one, await exportWith(2, settings, 0.2), await exportWith(4, settings, 0.2)].map(({ bytes }) => hashOf(bytes))
    expect(new Set(hashes).size).toBe(1)
    expect(one.gain).toBe(1)
    expect(readWav(one.bytes).frames).toBe(plannedFrames(planRender({ sampleRate: 44_100, ...settings }), FRAMES))
  },
)

it('lowers a hot master just under full scale', async () => {
  const { bytes, gain } = await exportWith(2, { rate: 1.1 }, 1)
  expect(gain).toBeLessThan(1)
  const peaks = readWav(bytes).channels.map((channel) => channel.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0))
  expect(Math.max(...peaks)).toBeLessThan(32_767 / 32_768)
  expect(Math.max(...peaks)).toBeGreaterThan(0.9995)
})
