import { type ComponentProps, type ReactNode, type TextareaHTMLAttributes, useId, useRef } from 'react'
import { classNames } from './class-names.ts'
import { DropTarget } from './drop-target.tsx'
import fieldStyles from './field.module.css'
import { createDescribedByProps, Field, FieldFrame } from './field.tsx'
import styles from './form-controls.module.css'
import { Icon } from './icon.tsx'

interface TextAreaFieldProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'id'> {
  label: string
  name: string
  /** Content at the end of the line of the label. */
  labelAside?: ReactNode
  /** Error message about the current text. */
  problem?: string | undefined
  /** Hint below the text area. */
  children?: ReactNode
}

/** A labelled text of several lines. It grows with its text, where the browser supports it, and is uncontrolled. */
export function TextAreaField({ label, labelAside, problem, children, ...textArea }: TextAreaFieldProps) {
  const inputId = useId()
  return (
    <FieldFrame id={inputId} label={label} labelAside={labelAside} problem={problem} hint={children}>
      <textarea
        {...textArea}
        id={inputId}
        className={classNames(fieldStyles.input, styles.area)}
        {...createDescribedByProps(inputId, problem, children)}
      />
    </FieldFrame>
  )
}

/** A labelled field that chooses a file, which can also be dropped on it. */
export function FileField(props: Omit<ComponentProps<typeof Field>, 'type' | 'autoComplete' | 'ref'>) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <DropTarget
      disabled={props.disabled ?? false}
      onFile={(chosenFile) => {
        if (!input.current) return
        const chosenFiles = new DataTransfer()
        chosenFiles.items.add(chosenFile)
        input.current.files = chosenFiles.files
        input.current.dispatchEvent(new Event('input', { bubbles: true }))
        input.current.dispatchEvent(new Event('change', { bubbles: true }))
      }}
    >
      <Field {...props} ref={input} type="file" autoComplete="off" />
    </DropTarget>
  )
}

interface SelectFieldProps<T extends string> {
  label: string
  name: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  /** Hint below the list. */
  children?: ReactNode
}

/** A labelled list of options, of which one is selected. */
export function SelectField<T extends string>({ label, name, value, options, onChange, children }: SelectFieldProps<T>) {
  const groupId = useId()
  return (
    <FieldFrame id={groupId} label={label} hint={children}>
      <span className={styles.select}>
        <select
          id={groupId}
          name={name}
          className={fieldStyles.input}
          value={value}
          onChange={(event) => {
            const chosenOption = options.find((option) => option.value === event.currentTarget.value)
            if (chosenOption) onChange(chosenOption.value)
          }}
          {...createDescribedByProps(groupId, undefined, children)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" size="s" className={styles.arrow} />
      </span>
    </FieldFrame>
  )
}

interface CheckboxFieldProps {
  name: string
  required?: boolean
  isChecked?: boolean
  /** Hides the checkbox visually and from screen readers, but keeps it in the form. */
  hidden?: boolean
  /** Error message about the current state. */
  problem?: string | undefined
  onChange?: (isChecked: boolean) => void
  children: ReactNode
}

/** A checkbox with its label. It is uncontrolled. */
export function CheckboxField({
  name,
  required = false,
  isChecked = false,
  hidden = false,
  problem,
  onChange,
  children,
}: CheckboxFieldProps) {
  const checkboxId = useId()
  return (
    <div hidden={hidden}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          id={checkboxId}
          name={name}
          required={required}
          defaultChecked={isChecked}
          onChange={(event) => onChange?.(event.currentTarget.checked)}
          className={styles.box}
          {...createDescribedByProps(checkboxId, problem, undefined)}
        />
        <span>{children}</span>
      </label>
      {problem !== undefined && (
        <p id={`${checkboxId}-problem`} className={fieldStyles.problem} role="alert">
          <Icon name="warning" size="s" />
          {problem}
        </p>
      )}
    </div>
  )
}
