import { useLayoutEffect, useRef, useState } from 'react'
import type { MakerSettings } from '../../bindings/maker.ts'
import { useOwnPresets } from '../../bindings/maker-presets.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Key } from '../../ui/key.tsx'
import styles from './preset-keys.module.css'
import { type Preset, presets, sameSettings } from './presets.ts'

/** The house's presets and one's own. */
export function PresetKeys({ settings, onChoose }: { settings: MakerSettings; onChoose: (settings: MakerSettings) => void }) {
  const own = useOwnPresets()
  const [naming, setNaming] = useState(false)
  const [removing, setRemoving] = useState<Preset>()
  const chosen = [...presets, ...own.presets].find((preset) => sameSettings(preset.settings, settings))
  const isOwn = chosen !== undefined && own.presets.includes(chosen)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look and a legend of its own.
    <div className={styles.presets} role="group" aria-label="Presets">
      {[...presets, ...own.presets].map((preset) => (
        <Key key={preset.name} pressed={preset === chosen} onClick={() => onChoose(preset.settings)}>
          {preset.name}
        </Key>
      ))}
      {isOwn ? (
        <Key variant="flat" icon="trash" onClick={() => setRemoving(chosen)}>
          Delete preset
        </Key>
      ) : (
        <Key variant="flat" icon="plus" onClick={() => setNaming(true)} disabled={chosen !== undefined}>
          Save preset
        </Key>
      )}
      <Dialog open={naming} onClose={() => setNaming(false)} title="Save preset">
        <NameForm
          onName={(name) => {
            own.save({ name, settings })
            setNaming(false)
          }}
        />
      </Dialog>
      <Dialog open={removing !== undefined} onClose={() => setRemoving(undefined)} title={`Delete the preset '${removing?.name ?? ''}'?`}>
        <div className={styles.form}>
          <Key
            variant="lit"
            icon="trash"
            onClick={() => {
              if (removing) own.remove(removing.name)
              setRemoving(undefined)
            }}
          >
            Delete
          </Key>
          <Key variant="flat" onClick={() => setRemoving(undefined)}>
            Keep it
          </Key>
        </div>
      </Dialog>
    </div>
  )
}

function NameForm({ onName }: { onName: (name: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [taken, setTaken] = useState(false)
  // The attribute itself, before the dialog opens: that is where the platform then puts the focus.
  useLayoutEffect(() => field.current?.setAttribute('autofocus', ''), [])
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const name = String(new FormData(event.currentTarget).get('preset')).trim()
        const isTaken = presets.some((preset) => preset.name === name)
        setTaken(isTaken)
        if (name !== '' && !isTaken) onName(name)
      }}
    >
      <Field
        ref={field}
        label="Name"
        name="preset"
        autoComplete="off"
        required
        maxLength={40}
        problem={taken ? 'A preset of the house has this name.' : undefined}
      />
      <Key type="submit" variant="lit">
        Save
      </Key>
    </form>
  )
}
