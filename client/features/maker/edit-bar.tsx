import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SelectField } from '../../ui/form-controls.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import menuStyles from '../../ui/menu.module.css'
import typeStyles from '../../ui/type.module.css'
import { usePopover } from '../../ui/use-popover.ts'
import styles from './edit-bar.module.css'
import { describeStep } from './edit-steps.ts'
import { Fader } from './fader.tsx'
import { isWholeLoop } from './loop-range.ts'
import { useMessages } from './messages.ts'
import type { Engine, EngineState, Fade, FadeShape } from './use-maker.ts'
import { makerShortcutRows, useMakerKeys } from './use-maker-keys.ts'

/** The maximum length of a fade, in seconds at the current speed. */
const MAX_FADE_S = 30

const fadeMarks = [0, 10, 20, MAX_FADE_S].map((value) => ({ value, label: String(value) }))

const fadeShapeOptions: readonly { value: FadeShape; label: string }[] = [
  { value: 'linear', label: 'Linear' },
  { value: 'equal-power', label: 'Equal power' },
  { value: 's-curve', label: 'S-shaped' },
]

const ShortcutsDialog = lazyDialog('Keyboard shortcuts', () =>
  import('../../ui/shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)

/** Renders the buttons that cut and fade the song, and those that undo and redo changes. */
export function EditBar({ engine, state }: { engine: Engine; state: EngineState }) {
  const { sound, loop, history } = state
  const [announcementText, setAnnouncement] = useState('')
  const beginMessages = useMessages()
  const isPartLooped = sound !== undefined && loop.on && !isWholeLoop(loop, sound.durationS)
  const describeStepAt = (index: number) => describeStep(history.steps, index, sound?.sampleRate)
  const goToStep = (index: number) => {
    if (history.steps[index] === undefined) return
    setAnnouncement(index < history.index ? `Undone: ${describeStepAt(index + 1)}` : `Redone: ${describeStepAt(index)}`)
    engine.goToStep(index)
  }
  const undoStep = () => goToStep(history.index - 1)
  const redoStep = () => goToStep(history.index + 1)
  const keyProps = useMakerKeys(engine, { undo: undoStep, redo: redoStep })
  const cutSilence = async () => {
    const isCut = await engine.cutSilence()
    beginMessages()(isCut ? 'Silence cut: the song begins and ends with its sound.' : 'No silence found at the ends of the song.', 'good')
  }
  return (
    <section className={styles.bar} aria-label="Edit">
      <Button variant="tertiary" disabled={history.index === 0} onClick={undoStep}>
        Undo
      </Button>
      <Button variant="tertiary" disabled={history.index >= history.steps.length - 1} onClick={redoStep}>
        Redo
      </Button>
      <Panel label="Steps">
        {(hide) => (
          <ol className={styles.steps}>
            {history.steps
              .map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity than its place.
                <li key={index}>
                  <button
                    type="button"
                    className={classNames(styles.step, index > history.index && styles.undone)}
                    aria-current={index === history.index ? 'step' : undefined}
                    onClick={() => {
                      engine.goToStep(index)
                      hide()
                    }}
                  >
                    {index === history.index && <Icon name="check" size="s" />}
                    {describeStepAt(index)}
                  </button>
                </li>
              ))
              .reverse()}
          </ol>
        )}
      </Panel>
      <Button variant="tertiary" disabled={!isPartLooped} onClick={() => engine.keepRange(loop.startS, loop.endS)}>
        Keep only this
      </Button>
      <Button
        variant="tertiary"
        disabled={!isPartLooped}
        onClick={() => sound && engine.setLoop({ on: true, startS: 0, endS: sound.durationS })}
      >
        Clear loop
      </Button>
      <Button variant="tertiary" disabled={sound === undefined} onClick={() => void cutSilence()}>
        Cut silence
      </Button>
      <Panel label="Fades" disabled={sound === undefined}>
        {() => (
          <div className={styles.fades}>
            <FadeControls
              label="Fade in"
              fade={state.edits.fadeIn}
              playbackRate={state.rate}
              onChange={(fadeIn) => engine.changeEdits({ fadeIn })}
            />
            <FadeControls
              label="Fade out"
              fade={state.edits.fadeOut}
              playbackRate={state.rate}
              onChange={(fadeOut) => engine.changeEdits({ fadeOut })}
            />
          </div>
        )}
      </Panel>
      <span className={typeStyles.hidden} role="status">
        {announcementText}
      </span>
      <ShortcutsDialog
        rows={makerShortcutRows}
        on={keyProps.isOn}
        onChange={keyProps.setOn}
        open={keyProps.isListOpen}
        onClose={keyProps.closeList}
      />
    </section>
  )
}

interface FadeControlsProps {
  label: string
  fade: Fade
  playbackRate: number
  onChange: (fade: Fade) => void
}

/** Renders the fields for the length of a fade, in seconds at the current speed, and for its shape. */
function FadeControls({ label, fade, playbackRate, onChange }: FadeControlsProps) {
  return (
    <div className={styles.fade}>
      <Fader
        label={label}
        unit="s"
        min={0}
        max={MAX_FADE_S}
        step={0.5}
        neutralValue={0}
        decimals={1}
        typedDecimals={2}
        tickCount={30}
        marks={fadeMarks}
        value={Math.min(MAX_FADE_S, fade.seconds / playbackRate)}
        onChange={(seconds) => onChange({ ...fade, seconds: seconds * playbackRate })}
      />
      <SelectField
        label={`${label}: shape`}
        name={label}
        value={fade.shape}
        options={fadeShapeOptions}
        onChange={(shape) => onChange({ ...fade, shape })}
      />
    </div>
  )
}

interface PanelProps {
  label: string
  disabled?: boolean
  /** Renders the content while the panel is open. `hide` closes the panel. */
  children: (hide: () => void) => ReactNode
}

/** A button that opens a panel below itself. */
function Panel({ label, disabled, children }: PanelProps) {
  const { button, panel, open, toggle, hide } = usePopover<HTMLButtonElement, HTMLDivElement>()
  const panelId = useId()
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classNames(menuStyles.button, styles.opener)}
        disabled={disabled}
        aria-expanded={open}
        aria-controls={panelId}
        onClick={toggle}
      >
        {label}
        <Icon name="chevron-down" size="s" />
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend. */}
      <div ref={panel} id={panelId} popover="auto" role="group" aria-label={label} className={menuStyles.panel}>
        {open && children(hide)}
      </div>
    </>
  )
}
