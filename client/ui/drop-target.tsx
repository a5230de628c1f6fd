import { type DragEvent, type ReactNode, useEffect, useState } from 'react'
import { createCleanupScope } from '../primitives/scope.ts'
import { classNames } from './class-names.ts'
import styles from './drop-target.module.css'

interface DropTargetProps {
  disabled?: boolean
  className?: string | undefined
  onFile: (file: File) => void
  children: ReactNode
}

const hasDraggedFiles = ({ dataTransfer }: Pick<DragEvent | globalThis.DragEvent, 'dataTransfer'>) =>
  dataTransfer?.types.includes('Files') ?? false

/**
 * An area on which a file can be dropped. If several files are dropped, the first one is taken. While the area is shown, the browser does not open a
 * file that is dropped outside of the area.
 */
export function DropTarget({ disabled = false, className, onFile, children }: DropTargetProps) {
  const [isDraggedOver, setDraggedOver] = useState(false)
  useEffect(() => {
    const scope = createCleanupScope()
    const preventFileOpening = (event: globalThis.DragEvent) => {
      if (!event.defaultPrevented && hasDraggedFiles(event) && event.dataTransfer) {
        event.preventDefault()
        event.dataTransfer.dropEffect = 'none'
      }
    }
    scope.listen(window, 'dragover', preventFileOpening)
    scope.listen(window, 'drop', preventFileOpening)
    return scope.dispose
  }, [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way to what the button or field inside does.
    <div
      className={classNames(styles.target, isDraggedOver && styles.over, className)}
      onDragOver={(event) => {
        if (disabled || !hasDraggedFiles(event)) return
        event.preventDefault()
        setDraggedOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDraggedOver(false)
      }}
      onDrop={(event) => {
        setDraggedOver(false)
        if (disabled || !hasDraggedFiles(event)) return
        event.preventDefault()
        const [file] = event.dataTransfer.files
        if (file) onFile(file)
      }}
    >
      {children}
    </div>
  )
}
