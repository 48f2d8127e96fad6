/** One section of the Markdown form; its name is also the key in JSON. */
export interface Section {
  readonly name: string;
  /** The first version of packs that has it as a Markdown section. */
  readonly since: 1 | 2;
  readonly required?: true;
  /** kit computes it; what a model writes there is not taken. */
  readonly computed?: true;
  /** What models write for the name, folded (`foldHeading`): other words and translations. */
  readonly aliases?: readonly string[];
}

/** Every section, in the order of writing. Source: CONTEXT-PACK, tables of version 1 and 2. */
export const sections = [
  {
    name: "task",
    since: 1,
    required: true,
    aliases: [
      "任务",
      "aufgabe",
      "tâche",
      "tarea",
      "tarefa",
      "compito",
      "任務",
      "タスク",
      "задача",
      "과제",
      "작업",
    ],
  },
  {
    name: "goal",
    since: 1,
    required: true,
    aliases: [
      "goals",
      "目标",
      "目標",
      "ziel",
      "objetivo",
      "objective",
      "objectif",
      "obiettivo",
      "meta",
      "цель",
      "목표",
    ],
  },
  {
    name: "constraints",
    since: 1,
    required: true,
    aliases: [
      "constraint",
      "约束",
      "制約",
      "randbedingungen",
      "contraintes",
      "restricciones",
      "einschränkungen",
      "restrições",
      "vincoli",
      "制約条件",
      "限制",
      "ограничения",
      "제약",
    ],
  },
  { name: "discovery", since: 1, aliases: ["discovery_status", "发现"] },
  {
    name: "relevant_files",
    since: 1,
    required: true,
    aliases: [
      "files",
      "relevant_file",
      "相关文件",
      "関連ファイル",
      "relevante_dateien",
      "fichiers_pertinents",
      "archivos_relevantes",
      "arquivos_relevantes",
      "file_rilevanti",
      "файлы",
      "관련_파일",
    ],
  },
  {
    name: "relevant_snippets",
    since: 1,
    aliases: [
      "snippets",
      "relevant_snippet",
      "code_snippets",
      "相关代码",
      "相关代码片段",
      "relevante_ausschnitte",
      "extraits",
      "fragmentos",
    ],
  },
  {
    name: "repo_rules",
    since: 1,
    aliases: [
      "repository_rules",
      "repo_rule",
      "仓库规则",
      "rules",
      "regeln",
      "règles_du_dépôt",
      "reglas_del_repositorio",
    ],
  },
  {
    name: "observed_errors",
    since: 1,
    aliases: [
      "errors",
      "observed_error",
      "观察到的错误",
      "beobachtete_fehler",
      "erreurs_observées",
      "errores_observados",
      "観測されたエラー",
    ],
  },
  {
    name: "test_commands",
    since: 1,
    aliases: [
      "test_command",
      "tests",
      "测试命令",
      "テストコマンド",
      "testbefehle",
      "commandes_de_test",
      "comandos_de_prueba",
      "comandos_de_teste",
      "comandi_di_test",
      "команды_тестов",
    ],
  },
  {
    name: "previous_attempts",
    since: 1,
    aliases: [
      "attempts",
      "previous_attempt",
      "之前的尝试",
      "bisherige_versuche",
      "tentatives_précédentes",
      "intentos_previos",
    ],
  },
  {
    name: "expected_output",
    since: 1,
    required: true,
    aliases: [
      "output",
      "expected_outputs",
      "预期输出",
      "期待される出力",
      "erwartete_ausgabe",
      "sortie_attendue",
      "résultat_attendu",
      "salida_esperada",
      "saída_esperada",
      "output_atteso",
      "erwartetes_ergebnis",
      "ожидаемый_результат",
    ],
  },
  { name: "scope", since: 2 },
  { name: "decisions", since: 2, aliases: ["decision"] },
  { name: "success_criteria", since: 2, aliases: ["acceptance_criteria", "success_criterion"] },
  { name: "files_touched", since: 2 },
  { name: "progress", since: 2 },
  { name: "parent", since: 2 },
  { name: "context_items", since: 2, aliases: ["context_item"] },
  { name: "completeness", since: 2, computed: true },
  { name: "warnings", since: 2, computed: true },
  { name: "token_estimate", since: 2, computed: true },
  { name: "capability", since: 1 },
  { name: "produced_by", since: 1 },
  { name: "budget", since: 2 },
  { name: "version", since: 2 },
] as const satisfies readonly Section[];

export type SectionName = (typeof sections)[number]["name"];

const byName: ReadonlyMap<string, Section> = new Map(sections.map((s) => [s.name, s]));

/** The section of exactly this name, as files write it. */
export function sectionNamed(name: string): (Section & { name: SectionName }) | undefined {
  return byName.get(name) as (Section & { name: SectionName }) | undefined;
}

/** Where a section (or JSON key) stands in the order of writing; unknown ones come last. */
export function sectionRank(name: string): number {
  const rank = sections.findIndex((section) => section.name === name);
  return rank === -1 ? sections.length : rank;
}
