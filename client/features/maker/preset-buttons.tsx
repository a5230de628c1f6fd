import { useLayoutEffect, useRef, useState } from 'react'
import { PRESET_NAME_MAX_LENGTH, PRESETS_MAX } from '../../../contract/preset-rules.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import { hasRoomForPresets } from './own-presets.ts'
import styles from './preset-buttons.module.css'
import type { PresetSharingProps } from './preset-sharing.tsx'
import { areSettingsEqual, builtInPresets, type Preset } from './presets.ts'
import { toPresetName } from './settings-link.ts'
import type { MakerSettings } from './use-maker.ts'
import { useOwnPresets, useOwnPresetsSync } from './use-own-presets.ts'

const PresetSharing = lazyMenu<Omit<PresetSharingProps, 'openAtFirst'>>(
  () => import('./preset-sharing.tsx').then((module) => module.PresetSharing),
  'share',
)

/** Renders the buttons of the built-in presets and of the person's own ones. */
export function PresetButtons({ settings, onChoose }: { settings: MakerSettings; onChoose: (settings: MakerSettings) => void }) {
  useOwnPresetsSync()
  const ownPresets = useOwnPresets()
  const [namingTarget, setNamed] = useState<'new' | 'chosen'>()
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
      {isOwn && (
        <Button variant="tertiary" onClick={() => setNamed('chosen')}>
          Rename preset
        </Button>
      )}
      {/* One button saves and deletes, so that it keeps the focus when the preset is saved or deleted. */}
      <Button
        variant="tertiary"
        icon={isOwn ? 'trash' : 'plus'}
        onClick={() => (isOwn ? setPresetToRemove(chosenPreset) : setNamed('new'))}
        disabled={!isOwn && chosenPreset !== undefined}
      >
        {isOwn ? 'Delete preset' : 'Save preset'}
      </Button>
      <PresetSharing label="Share settings and presets" settings={settings} preset={chosenPreset} />
      <Dialog
        open={namingTarget !== undefined}
        onClose={() => setNamed(undefined)}
        title={namingTarget === 'chosen' ? 'Rename preset' : 'Save preset'}
      >
        <NameForm
          ownPresets={ownPresets.presets}
          renamed={namingTarget === 'chosen' ? chosenPreset : undefined}
          onName={(name) => {
            if (namingTarget === 'chosen' && chosenPreset) ownPresets.rename(chosenPreset, name)
            else ownPresets.save([{ name, settings }])
            setNamed(undefined)
          }}
        />
      </Dialog>
      <Dialog
        open={presetToRemove !== undefined}
        onClose={() => setPresetToRemove(undefined)}
        title={`Delete the preset “${presetToRemove?.name ?? ''}”?`}
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

interface NameFormProps {
  ownPresets: readonly Preset[]
  /** The preset that is renamed; `undefined` for a new preset. */
  renamed: Preset | undefined
  onName: (name: string) => void
}

function NameForm({ ownPresets, renamed, onName }: NameFormProps) {
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
        const name = toPresetName(new FormData(event.currentTarget).get('preset')) ?? ''
        const newProblem = problemOf(name, ownPresets, renamed)
        setProblem(newProblem)
        if (newProblem === undefined) onName(name)
        else field.current?.focus()
      }}
    >
      <Field
        ref={field}
        label="Name"
        name="preset"
        autoComplete="off"
        required
        maxLength={PRESET_NAME_MAX_LENGTH}
        defaultValue={renamed?.name}
        problem={problem}
      />
      <Button type="submit" variant="primary">
        Save
      </Button>
    </form>
  )
}

/**
 * Returns the reason for which a preset cannot have this name; `undefined` if the name is allowed. A new preset replaces the person's own
 * preset of the same name.
 */
function problemOf(name: string, ownPresets: readonly Preset[], renamedPreset: Preset | undefined): string | undefined {
  if (name === '') return 'Please type a name.'
  if (builtInPresets.some((preset) => preset.name === name)) return 'There is a built-in preset with this name.'
  const isTaken = ownPresets.some((preset) => preset.name === name)
  if (renamedPreset) return isTaken && name !== renamedPreset.name ? 'You have a preset with this name.' : undefined
  return isTaken || hasRoomForPresets(ownPresets, 1) ? undefined : `There is room for ${PRESETS_MAX} presets of your own. Delete one first.`
}
