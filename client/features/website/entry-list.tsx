import { useState } from 'react'
import {
  SOCIAL_URL_MAX_LENGTH,
  WEBSITE_ENTRY_TITLE_MAX_LENGTH,
  type WebsiteEntry,
  type WebsiteLists,
} from '../../../contract/website-rules.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useDragToReorder } from '../../ui/use-drag-to-reorder.ts'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import { createEntryRow, type EntryRow } from './website-draft.ts'
import styles from './website-page.module.css'

interface EntryListProps {
  listName: keyof WebsiteLists
  /** The name of one entry, such as 'Link'. */
  label: string
  addLabel: string
  titleHint?: string
  rows: readonly EntryRow[]
  maxCount: number
  findProblem: (input: string) => string | undefined
  /**
   * Returns the address that a person means by a typed text, for example the address of a channel's name. This address replaces the typed
   * text when the field loses the focus.
   */
  toAddress: (text: string) => string
  onChange: (rows: readonly EntryRow[]) => void
}

/** A list of entries, each with a title and an address. Entries can be added, moved and removed. */
export function EntryList(props: EntryListProps) {
  const { listName, label, addLabel, titleHint, rows, maxCount, findProblem, toAddress, onChange } = props
  const changeEntry = (index: number, part: Partial<WebsiteEntry>) =>
    onChange(rows.map((row, each) => (each === index ? { ...row, ...part } : row)))
  const moveEntry = (fromIndex: number, toIndex: number) => {
    const row = rows[fromIndex]
    if (row) onChange(rows.toSpliced(fromIndex, 1).toSpliced(toIndex, 0, row))
  }
  const dragHandlers = useDragToReorder(rows, moveEntry)
  const [container, setContainer] = useState<HTMLElement | null>(null)
  useFocusAfterRemoval(container)
  return (
    <div ref={setContainer} className={styles.entries} tabIndex={-1}>
      <ol ref={dragHandlers.list} className={styles.entries}>
        {rows.map((entryRow, index) => {
          const entryName = `${label} ${index + 1}`
          const offsetPx = dragHandlers.computeOffsetPx(index)
          return (
            <li
              key={entryRow.key}
              className={classNames(styles.entry, dragHandlers.draggedIndex === index && styles.dragged)}
              style={offsetPx === 0 ? undefined : { transform: `translateY(${offsetPx}px)` }}
              data-index={index}
              data-drag-index={index}
            >
              <fieldset className={styles.entryFields}>
                <legend>{entryName}</legend>
                <Field
                  label="Title"
                  name={`${listName}.${index}.title`}
                  autoComplete="off"
                  maxLength={WEBSITE_ENTRY_TITLE_MAX_LENGTH}
                  value={entryRow.title}
                  problem={findProblem(`${listName}.${index}.title`)}
                  onChange={(event) => changeEntry(index, { title: event.currentTarget.value })}
                >
                  {titleHint}
                </Field>
                <Field
                  label="Address"
                  name={`${listName}.${index}.url`}
                  inputMode="url"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  placeholder="https://"
                  maxLength={SOCIAL_URL_MAX_LENGTH}
                  value={entryRow.url}
                  problem={findProblem(`${listName}.${index}.url`)}
                  onChange={(event) => changeEntry(index, { url: event.currentTarget.value })}
                  onBlur={(event) => changeEntry(index, { url: toAddress(event.currentTarget.value) })}
                />
              </fieldset>
              <div className={styles.entryButtons}>
                {rows.length > 1 && (
                  // Dragging is for pointers only. For keyboards and screen readers, the buttons below move the entries.
                  <span className={styles.grip} title="Drag to move" aria-hidden="true" {...dragHandlers.createGripProps(index)}>
                    <Icon name="grip" size="s" />
                  </span>
                )}
                <IconButton
                  icon="chevron-up"
                  label={`Move ${entryName} up`}
                  disabled={index === 0}
                  onClick={() => moveEntry(index, index - 1)}
                />
                <IconButton
                  icon="chevron-down"
                  label={`Move ${entryName} down`}
                  disabled={index === rows.length - 1}
                  onClick={() => moveEntry(index, index + 1)}
                />
                <IconButton icon="trash" label={`Remove ${entryName}`} onClick={() => onChange(rows.toSpliced(index, 1))} />
              </div>
            </li>
          )
        })}
      </ol>
      {rows.length < maxCount && (
        <Button icon="plus" variant="tertiary" onClick={() => onChange([...rows, createEntryRow()])}>
          {addLabel}
        </Button>
      )}
    </div>
  )
}
