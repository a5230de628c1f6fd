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
  const [namingTarget, setNamingTarget] = useState<'new' | 'chosen'>()
  const [presetToRemove, setPresetToRemove] = useState<Preset>()
  const chosenPreset = [...builtInPresets, ...ownPresets.presets].find((preset) => areSettingsEqual(preset.settings, settings))
  const isOwnPreset = chosenPreset !== undefined && ownPresets.presets.includes(chosenPreset)
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
      {isOwnPreset && (
        <Button variant="tertiary" onClick={() => setNamingTarget('chosen')}>
          Rename preset
        </Button>
      )}
      {/* One button saves and deletes, so that it keeps the focus when the preset is saved or deleted. */}
      <Button
        variant="tertiary"
        icon={isOwnPreset ? 'trash' : 'plus'}
        onClick={() => (isOwnPreset ? setPresetToRemove(chosenPreset) : setNamingTarget('new'))}
        disabled={!isOwnPreset && chosenPreset !== undefined}
      >
        {isOwnPreset ? 'Delete preset' : 'Save preset'}
      </Button>
      <PresetSharing label="Share settings and presets" settings={settings} preset={chosenPreset} />
      <Dialog
        open={namingTarget !== undefined}
        onClose={() => setNamingTarget(undefined)}
        title={namingTarget === 'chosen' ? 'Rename preset' : 'Save preset'}
      >
        <NameForm
          ownPresets={ownPresets.presets}
          presetToRename={namingTarget === 'chosen' ? chosenPreset : undefined}
          onName={(presetName) => {
            if (namingTarget === 'chosen' && chosenPreset) ownPresets.rename(chosenPreset, presetName)
            else ownPresets.save([{ name: presetName, settings }])
            setNamingTarget(undefined)
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
  presetToRename: Preset | undefined
  onName: (name: string) => void
}

function NameForm({ ownPresets, presetToRename, onName }: NameFormProps) {
  const nameField = useRef<HTMLInputElement>(null)
  const [problemText, setProblem] = useState<string>()
  // The attribute `autofocus` is set before the dialog opens, because `showModal` focuses the element that has it.
  useLayoutEffect(() => nameField.current?.setAttribute('autofocus', ''), [])
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const presetName = toPresetName(new FormData(event.currentTarget).get('preset')) ?? ''
        const newProblem = describeNameProblem(presetName, ownPresets, presetToRename)
        setProblem(newProblem)
        if (newProblem === undefined) onName(presetName)
        else nameField.current?.focus()
      }}
    >
      <Field
        ref={nameField}
        label="Name"
        name="preset"
        autoComplete="off"
        required
        maxLength={PRESET_NAME_MAX_LENGTH}
        defaultValue={presetToRename?.name}
        problem={problemText}
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
function describeNameProblem(presetName: string, ownPresets: readonly Preset[], renamedPreset: Preset | undefined): string | undefined {
  if (presetName === '') return 'Please type a name.'
  if (builtInPresets.some((preset) => preset.name === presetName)) return 'There is a built-in preset with this name.'
  const isTaken = ownPresets.some((preset) => preset.name === presetName)
  if (renamedPreset) return isTaken && presetName !== renamedPreset.name ? 'You have a preset with this name.' : undefined
  return isTaken || hasRoomForPresets(ownPresets, 1) ? undefined : `There is room for ${PRESETS_MAX} presets of your own. Delete one first.`
}
