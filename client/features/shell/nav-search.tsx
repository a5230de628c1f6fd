import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './nav-search.module.css'

/** The bar's search: a toggle, and a box that takes the focus. Enter searches; Escape and a press outside close it. */
export function NavSearch({ onSearch }: { onSearch: (query: string) => void }) {
  const [open, setOpen] = useState(false)
  const holder = useRef<HTMLFormElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (!open) return
    input.current?.focus()
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !holder.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [open])

  return (
    <search>
      <form
        ref={holder}
        action="/search"
        className={styles.form}
        data-open={open}
        onSubmit={(event) => {
          event.preventDefault()
          const query = input.current?.value.trim() ?? ''
          if (query === '') return
          setOpen(false)
          onSearch(query)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !open) return
          setOpen(false)
          toggle.current?.focus()
        }}
        onBlur={(event) => {
          if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
        }}
      >
        {open && (
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
          ref={toggle}
          icon={open ? 'close' : 'search'}
          label="Search"
          look="bright"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      </form>
    </search>
  )
}
