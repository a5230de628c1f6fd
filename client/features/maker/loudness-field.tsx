import type { ReactNode } from 'react'
import { SelectField } from '../../ui/form-controls.tsx'

const LOUDNESS_TARGET_OPTIONS = [
  { value: 'off', label: 'As it is' },
  { value: '-16', label: '−16 LUFS, quiet' },
  { value: '-14', label: '−14 LUFS, video platforms' },
  { value: '-11', label: '−11 LUFS, loud' },
  { value: '-9', label: '−9 LUFS, very loud' },
] as const

interface LoudnessFieldProps {
  label: string
  /** The loudness to which exported files are brought; `undefined` leaves their level unchanged. */
  targetLufs: number | undefined
  onChange: (targetLufs: number | undefined) => void
  children?: ReactNode
}

/** A field for the loudness of exported files. */
export const LoudnessField = ({ label, targetLufs, onChange, children }: LoudnessFieldProps) => (
  <SelectField
    label={label}
    name="target"
    value={LOUDNESS_TARGET_OPTIONS.find(({ value }) => Number(value) === targetLufs)?.value ?? 'off'}
    options={LOUDNESS_TARGET_OPTIONS}
    onChange={(value) => onChange(value === 'off' ? undefined : Number(value))}
  >
    {children}
  </SelectField>
)
