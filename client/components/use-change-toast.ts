import { useCallback } from 'react'
import { isOnDisk } from '../hooks/offline.ts'
import { useServices } from '../hooks/services.tsx'
import { useToast } from '../ui/toast.tsx'

/** Like `useToast`, for toasts about changes that this device stores. */
export function useChangeToast(): ReturnType<typeof useToast> {
  const { database } = useServices()
  const toast = useToast()
  return useCallback((change) => toast({ isStored: isOnDisk(database.health), ...change }), [database, toast])
}
