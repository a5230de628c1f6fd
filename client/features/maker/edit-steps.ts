import { formatDecimals, PITCH_DECIMALS, SPEED_DECIMALS } from './setting-values.ts'
import type { EditStep, Fade, MakerSettings } from './use-maker.ts'
import { formatClock } from './wave-view.ts'

const formatSigned = (value: number, decimals: number) => `${value > 0 ? '+' : ''}${formatDecimals(value, 0, decimals).replace('-', '−')}`

const settingTextFormatters: { readonly [Name in keyof MakerSettings]: (value: number) => string } = {
  speed: (value) => `speed ${formatDecimals(value, 2, SPEED_DECIMALS)}×`,
  pitch: (value) => `pitch ${formatSigned(value, PITCH_DECIMALS)} st`,
  reverbSize: (value) => `reverb size ${value} %`,
  reverbAmount: (value) => `reverb amount ${value} %`,
  bassDb: (value) => `bass ${formatSigned(value, 0)} dB`,
}

const computeRate = ({ speed, pitch }: MakerSettings) => speed * 2 ** (pitch / 12)

/**
 * Describes a step of the edit history by its difference from the step before.
 * @param sampleRate the sampling rate of the sound, if a sound is loaded
 */
export function describeStep(steps: readonly EditStep[], index: number, sampleRate: number | undefined): string {
  const [stepBefore, shownStep] = [steps[index - 1], steps[index]]
  if (stepBefore === undefined || shownStep === undefined) return 'As opened'
  const { settings, edits } = shownStep
  const describeFade = (name: string, { seconds, shape }: Fade) =>
    seconds > 0 ? `${name} ${(seconds / computeRate(settings)).toFixed(1)} s, ${shape.replace('-', ' ')}` : `no ${name}`
  const isEditChanged = (name: 'range' | 'fadeIn' | 'fadeOut') => JSON.stringify(stepBefore.edits[name]) !== JSON.stringify(edits[name])
  const { range } = edits
  const rangeText =
    range === undefined || sampleRate === undefined
      ? 'whole song'
      : `kept ${formatClock((range.endFrame - range.startFrame) / sampleRate / computeRate(settings))}`
  const stepTexts = [
    ...(Object.keys(settingTextFormatters) as (keyof MakerSettings)[])
      .filter((name) => stepBefore.settings[name] !== settings[name])
      .map((name) => settingTextFormatters[name](settings[name])),
    ...(isEditChanged('range') ? [rangeText] : []),
    ...(isEditChanged('fadeIn') ? [describeFade('fade in', edits.fadeIn)] : []),
    ...(isEditChanged('fadeOut') ? [describeFade('fade out', edits.fadeOut)] : []),
  ]
  const text = stepTexts.join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
