// The settings of runs side by side. Pure.
export type Settings = Readonly<Record<string, unknown>>;

export interface SettingRow {
  key: string;
  values: string[]; // of each run; empty: it has no such setting
  differs: boolean;
}

/** `search.sims` and the like, each with its value as text. */
export function flatten(settings: Settings, prefix = ""): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(settings)) {
    if (value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length) {
      for (const [inner, text] of flatten(value as Settings, `${prefix}${key}.`)) flat.set(inner, text);
    } else {
      flat.set(prefix + key, typeof value === "string" ? value : JSON.stringify(value));
    }
  }
  return flat;
}

/** Every setting of any run, those that differ first. */
export function settingRows(all: readonly Settings[]): SettingRow[] {
  const flat = all.map((settings) => flatten(settings));
  const keys = new Set(flat.flatMap((one) => [...one.keys()]));
  const rows = [...keys].map((key) => {
    const values = flat.map((one) => one.get(key) ?? "");
    return { key, values, differs: values.some((value) => value !== values[0]) };
  });
  return [...rows.filter((row) => row.differs), ...rows.filter((row) => !row.differs)];
}
