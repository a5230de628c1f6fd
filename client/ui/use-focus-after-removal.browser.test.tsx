import { useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useFocusAfterRemoval } from './use-focus-after-removal.ts'

interface RemovableListProps {
  /** Whether the list is removed with its last row. */
  isRemovedWhenEmpty?: boolean
}

/** A list from which each row can be removed, with a button beside the list that is removed when it is pressed. */
function RemovableList({ isRemovedWhenEmpty: vanishes = false }: RemovableListProps) {
  const [rows, setRows] = useState(['Ann', 'Ben', 'Cem'])
  const [hasButton, setHasButton] = useState(true)
  const [container, setContainer] = useState<HTMLElement | null>(null)
  useFocusAfterRemoval(container)
  if (vanishes && rows.length === 0) return null
  return (
    <section ref={setContainer} tabIndex={-1} aria-label="Names">
      {hasButton && (
        <button type="button" onClick={() => setHasButton(false)}>
          Clear
        </button>
      )}
      <ul>
        {rows.map((row, index) => (
          <li key={row} data-index={index}>
            <button type="button" disabled={index === 0}>
              Move {row} up
            </button>
            <button type="button" onClick={() => setRows(rows.filter((each) => each !== row))}>
              Remove {row}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

let root: Root | undefined
const renderList = (props: RemovableListProps = {}) => {
  const main = document.body.appendChild(document.createElement('main'))
  main.id = 'main'
  main.tabIndex = -1
  root = createRoot(main)
  root.render(<RemovableList {...props} />)
}
afterEach(() => {
  root?.unmount()
  document.getElementById('main')?.remove()
})

const pressButton = async (buttonName: string) => {
  await expect.element(page.getByRole('button', { name: buttonName })).toBeVisible()
  const button = page.getByRole('button', { name: buttonName }).element()
  if (button instanceof HTMLElement) button.focus()
  await userEvent.keyboard('{Enter}')
}
const expectFocus = (name: string) => expect.element(page.getByRole('button', { name })).toHaveFocus()

it('a row that is removed by keyboard passes the focus to the same button of the next row, and the only row to the list', async () => {
  renderList()
  await pressButton('Remove Ann')
  await expectFocus('Remove Ben')
  await userEvent.keyboard('{Enter}')
  await expectFocus('Remove Cem')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('region', { name: 'Names' })).toHaveFocus()
})

it('the last row passes the focus to the row before', async () => {
  renderList()
  await pressButton('Remove Cem')
  await expectFocus('Remove Ben')
})

it('a removed control that is in no row passes the focus to the list', async () => {
  renderList()
  await pressButton('Clear')
  await expect.element(page.getByRole('region', { name: 'Names' })).toHaveFocus()
})

it('a list that is removed with its only row passes the focus to the main content', async () => {
  renderList({ isRemovedWhenEmpty: true })
  await pressButton('Remove Ann')
  await expectFocus('Remove Ben')
  await pressButton('Remove Ben')
  await expectFocus('Remove Cem')
  await pressButton('Remove Cem')
  await expect.element(page.getByRole('main')).toHaveFocus()
})
