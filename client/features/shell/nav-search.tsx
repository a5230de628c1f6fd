import { useEffect, useRef, useState } from 'react'
import { listen } from '../../primitives/scope.ts'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './nav-search.module.css'

/** Search in the navigation bar: a toggle and an input that is focused when opened. Enter searches; Escape and a press outside close the input. */
export function NavSearch({ onSearch }: { onSearch: (query: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const formElement = useRef<HTMLFormElement>(null)
  const toggleButton = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (!isOpen) return
    input.current?.focus()
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !formElement.current?.contains(event.target)) setOpen(false)
    }
    return listen(document, 'pointerdown', onPress)
  }, [isOpen])

  return (
    <search>
      <form
        ref={formElement}
        action="/search"
        className={styles.form}
        data-open={isOpen}
        onSubmit={(event) => {
          event.preventDefault()
          const query = input.current?.value.trim() ?? ''
          if (query === '') return
          setOpen(false)
          onSearch(query)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isOpen) return
          setOpen(false)
          toggleButton.current?.focus()
        }}
        onBlur={(event) => {
          if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
        }}
      >
        {isOpen && (
          <label className={styles.box}>
            <Icon name="search" className={styles.glass} />
            <input
              ref={input}
              className={styles.input}
              type="search"
              name="q"
              aria-label="Search songs and artists"
              placeholder="Songs and artists"
              autoComplete="off"
              enterKeyHint="search"
              maxLength={200}
            />
          </label>
        )}
        <IconButton
          ref={toggleButton}
          icon={isOpen ? 'close' : 'search'}
          label="Search"
          look="bright"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </form>
    </search>
  )
}
