import { useSyncExternalStore } from 'react'
import type { InstallWay } from '../platform/install.ts'
import { useServices } from './services.tsx'

export function useInstall(): { way: InstallWay; device: 'phone' | 'tablet'; install(): Promise<boolean> } {
  const { install } = useServices()
  const way = useSyncExternalStore(
    install.subscribe,
    () => install.way,
    () => 'none' as const,
  )
  return { way, device: install.device, install: install.install }
}
