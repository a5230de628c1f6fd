import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import styles from './preset-buttons.module.css'
import { areSettingsEqual, builtInPresets, type Preset } from './presets.ts'
import type { MakerSettings } from './use-maker.ts'
import { useOwnPresets } from './use-own-presets.ts'

const PresetSharing = lazyWithRetry(() => import('./preset-sharing.tsx').then((module) => module.PresetSharing), {
  fallback: () => <IconButton icon="share" label="Share settings and presets" />,
})

/** Renders the buttons of the built-in presets and of the person's own ones. */
export function PresetButtons({ settings, onChoose }: { settings: MakerSettings; onChoose: (settings: MakerSettings) => void }) {
  const ownPresets = useOwnPresets()
  const [isNaming, setIsNaming] = useState(false)
  const [presetToRemove, setPresetToRemove] = useState<Preset>()
  const chosenPreset = [...builtInPresets, ...ownPresets.presets].find((preset) => areSettingsEqual(preset.settings, settings))
  const isOwn = chosenPreset !== undefined && ownPresets.presets.includes(chosenPreset)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend.
    <div className={styles.presets} role="group" aria-label="Presets">
      {[...builtInPresets, ...ownPresets.presets].map((preset) => (
        // A person's own preset may have the same name as a built-in preset that was introduced later.
        <Button
          key={`${ownPresets.presets.includes(preset)} ${preset.name}`}
          pressed={preset === chosenPreset}
          onClick={() => onChoose(preset.settings)}
        >
          {preset.name}
        </Button>
      ))}
      {isOwn ? (
        <Button variant="tertiary" icon="trash" onClick={() => setPresetToRemove(chosenPreset)}>
          Delete preset
        </Button>
      ) : (
        <Button variant="tertiary" icon="plus" onClick={() => setIsNaming(true)} disabled={chosenPreset !== undefined}>
          Save preset
        </Button>
      )}
      <PresetSharing settings={settings} preset={chosenPreset} />
      <Dialog open={isNaming} onClose={() => setIsNaming(false)} title="Save preset">
        <NameForm
          onName={(name) => {
            ownPresets.save({ name, settings })
            setIsNaming(false)
          }}
        />
      </Dialog>
      <Dialog
        open={presetToRemove !== undefined}
        onClose={() => setPresetToRemove(undefined)}
        title={`Delete the preset '${presetToRemove?.name ?? ''}'?`}
      >
        <div className={styles.form}>
          <Button
            variant="primary"
            icon="trash"
            onClick={() => {
              if (presetToRemove) ownPresets.remove(presetToRemove.name)
              setPresetToRemove(undefined)
            }}
          >
            Delete
          </Button>
          <Button variant="tertiary" onClick={() => setPresetToRemove(undefined)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </div>
  )
}

function NameForm({ onName }: { onName: (name: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  // The attribute `autofocus` is set before the dialog opens, because `showModal` focuses the element that has it.
  useLayoutEffect(() => field.current?.setAttribute('autofocus', ''), [])
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const name = String(new FormData(event.currentTarget).get('preset')).trim()
        const isTaken = builtInPresets.some((preset) => preset.name === name)
        setProblem(isTaken ? 'There is a built-in preset with this name.' : name === '' ? 'Please type a name.' : undefined)
        if (name !== '' && !isTaken) onName(name)
        else field.current?.focus()
      }}
    >
      <Field ref={field} label="Name" name="preset" autoComplete="off" required maxLength={40} problem={problem} />
      <Button type="submit" variant="primary">
        Save
      </Button>
    </form>
  )
}
